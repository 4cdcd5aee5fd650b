/** A session as its user sees it (contract/sessions#life-cycle). */

import { isoTime } from '@flowgate/base/iso-time';
import { time } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema, pageSchema } from '@flowgate/body-schema/body-schema';
import { stepSpec } from '@flowgate/flow-format/app-responses/step-wire';
import {
  appId,
  exampleAppId,
  exampleSessionId,
  exampleTime,
  exampleVersion,
  manifestName,
  sessionId,
  sessionStatuses,
  version,
} from '@flowgate/flow-format/manifest/registry-members';
import { z } from 'zod';
import { paymentReceipt } from '../../api/problem-wire.ts';
import type { PathParameterDoc } from '../../api/route.ts';
import { sessionPath } from '../registry/registry-paths.ts';
import type { SessionRecord } from './session.ts';

export const session = bodySchema(
  'Session',
  "A session: one user's run through one version of an app.",
  () =>
    z.object({
      sessionId: sessionId(),
      appId: appId(),
      version: version(),
      status: z.enum(sessionStatuses),
      stateVersion: z
        .int()
        .min(1)
        .describe("The version of the session's state: 1 after the start, increased by 1 with each transition."),
      currentStep: stepSpec.schema(),
      createdAt: time('The time of the start.'),
      updatedAt: time('The time of the last change.'),
      expiresAt: time('The time at which the session expires unless it changes before.'),
      paymentReceipt: paymentReceipt.schema().exactOptional(),
    }),
  {
    sessionId: exampleSessionId,
    appId: exampleAppId,
    version: exampleVersion,
    status: 'active',
    stateVersion: 1,
    currentStep: {
      stepId: 'choose',
      title: 'Which invoice?',
      fields: [{ fieldId: 'invoice', type: 'text', label: 'Invoice number', required: true }],
      actions: [{ actionId: 'next', label: 'Next' }],
    },
    createdAt: exampleTime,
    updatedAt: exampleTime,
    expiresAt: '2026-11-22T10:00:00.000Z',
  },
);

export type Session = BodyOf<typeof session>;

export const sessionPage = pageSchema('SessionPage', 'Sessions, newest first.', session);

export const stepPath = {
  ...sessionPath,
  stepId: { description: 'The id of a step that the version declares.', schema: manifestName, example: 'choose' },
} as const satisfies Readonly<Record<string, PathParameterDoc>>;

export function sessionView(record: SessionRecord): Session {
  return {
    sessionId: record.sessionId,
    appId: record.appId,
    version: record.version,
    status: record.status,
    stateVersion: record.stateVersion,
    currentStep: record.step,
    createdAt: isoTime(record.createdAtMs),
    updatedAt: isoTime(record.updatedAtMs),
    expiresAt: isoTime(record.expiresAtMs),
  };
}

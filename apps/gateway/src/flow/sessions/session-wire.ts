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
  "One user's walk through one version of an app.",
  () =>
    z.object({
      sessionId: sessionId(),
      appId: appId(),
      version: version(),
      status: z.enum(sessionStatuses),
      stateVersion: z.int().min(1).describe('1 after the start, one more with each transition.'),
      currentStep: stepSpec.schema(),
      createdAt: time('When it was started.'),
      updatedAt: time('When it last changed.'),
      expiresAt: time('When it ends unless something happens.'),
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
  stepId: { description: 'One of the steps that the version declares.', schema: manifestName, example: 'choose' },
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

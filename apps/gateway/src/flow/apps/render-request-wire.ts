/** A request to an app: the input of its reducer (contract/flow-apps#downstream). */

import { anyMembers } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema } from '@flowgate/body-schema/body-schema';
import {
  appId,
  exampleAppId,
  exampleSessionId,
  exampleVersion,
  manifestName,
  sessionId,
  version,
} from '@flowgate/flow-format/manifest/registry-members';
import { z } from 'zod';
import { paymentReceipt } from '../../api/problem-wire.ts';

export const renderRequest = bodySchema(
  'RenderRequest',
  'The input of the reducer: the state of the session, and the submission.',
  () =>
    z.object({
      protocolVersion: z.literal('1'),
      requestId: z.string().describe("The id of the caller's request, as in `X-Request-Id`."),
      reason: z.enum(['start', 'submit']),
      session: z.object({
        sessionId: sessionId(),
        appId: appId(),
        version: version(),
        stateVersion: z.int().min(0).describe("The version of the session's state. 0 for the start."),
        userId: z.string().describe('The id of the user. Stable, and different for each app.'),
      }),
      stepId: manifestName().describe('The step that was submitted, or at which the session starts.'),
      idempotencyKey: z
        .string()
        .describe('On a start with an idempotency key: a key derived from it, the same for every retry of this start.')
        .exactOptional(),
      launchContext: anyMembers('The `launchContext` with which the session was started.').exactOptional(),
      state: anyMembers('The last state that the app returned; `{}` at the start.'),
      appData: anyMembers('The app data of this user.'),
      appDataTruncated: z
        .literal(true)
        .describe('Whether the app data of this user exceeds the limit, so that `appData` is only a part.')
        .exactOptional(),
      submission: z
        .object({
          stepId: manifestName(),
          actionId: z.string().describe('The id of one of the actions of the step.'),
          fieldValues: anyMembers('The values by `fieldId`, validated against the step.'),
          idempotencyKey: z.string().describe('The same for every retry of one submission: act once for each key.'),
          paymentReceipt: paymentReceipt.schema().exactOptional(),
        })
        .exactOptional(),
    }),
  {
    protocolVersion: '1',
    requestId: 'req_01KAJ0Z6V2',
    reason: 'submit',
    session: {
      sessionId: exampleSessionId,
      appId: exampleAppId,
      version: exampleVersion,
      stateVersion: 1,
      userId: 'usr_2Jx0q7m1cK3vR8t5nB9wZ4yD6fH1gL0sP2uA7eQ5oXI',
    },
    stepId: 'choose',
    state: {},
    appData: { invoices: ['INV-6'] },
    submission: {
      stepId: 'choose',
      actionId: 'next',
      fieldValues: { invoice: 'INV-7' },
      idempotencyKey: 'a3f1c9d07be84521',
    },
  },
);

export type RenderRequest = BodyOf<typeof renderRequest>;

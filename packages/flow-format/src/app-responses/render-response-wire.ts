/**
 * The response of an app: the output of a reducer (contract/flow-apps#answers). This schema only describes it. `parse-render-response` reads it, with limits on cost that a
 * schema cannot express. `render-response-wire.test.ts` checks that both agree.
 */

import { anyMembers, noControlCharacters, textBetween } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import { fieldId } from '../fields/field-wire.ts';
import { responseBounds } from './response-bounds.ts';
import { stepSpec } from './step-wire.ts';

const dataName = () => textBetween(responseBounds.dataName).meta({ pattern: noControlCharacters });

export const renderResponse = bodySchema(
  'RenderResponse',
  'The output of the reducer: the next step, and the changes. At most 1 MiB.',
  () =>
    z.object({
      step: stepSpec.schema(),
      state: anyMembers('The new state. Default: unchanged.').exactOptional(),
      appData: z
        .object({
          set: anyMembers('Members to replace, by name.')
            .meta({ maxProperties: responseBounds.dataNames })
            .exactOptional(),
          delete: z.array(dataName()).max(responseBounds.dataNames).describe('Members to remove.').exactOptional(),
        })
        .describe('Changes of the app data that the gateway stores for this user.')
        .exactOptional(),
      events: z
        .array(
          z.object({
            type: textBetween(responseBounds.eventType),
            data: anyMembers('The data of the event.'),
          }),
        )
        .max(responseBounds.events)
        .describe('Events of the session. Events of types that the version does not declare are dropped.')
        .exactOptional(),
      status: z
        .enum(['active', 'completed', 'failed'])
        .describe('The status of the session. Default: `completed` on a terminal step, otherwise `active`.')
        .exactOptional(),
      errors: z
        .array(
          z.object({
            fieldId: fieldId().describe('The field of the step, if the problem is about a field.').exactOptional(),
            message: textBetween(responseBounds.errorMessage).describe('A sentence to show to the user.'),
          }),
        )
        .max(responseBounds.errors)
        .describe('If not empty, the submission returns 400 and nothing changes.')
        .exactOptional(),
    }),
  {
    step: { stepId: 'done', title: 'Paid', fields: [], actions: [], terminal: true },
    appData: { set: { invoices: ['INV-6', 'INV-7'] } },
    events: [{ type: 'invoice_paid', data: { invoice: 'INV-7' } }],
  },
);

export type RenderResponse = BodyOf<typeof renderResponse>;

/**
 * What an app responds: a reducer's output (contract/flow-apps#answers). The schema only describes it; `parse-render-response` reads it, member by member and with limits on cost that a
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
  'A reducer’s output: the step to show next, and what changes. At most 1 MiB.',
  () =>
    z.object({
      step: stepSpec.schema(),
      state: anyMembers('Left out: unchanged.').exactOptional(),
      appData: z
        .object({
          set: anyMembers('Members to replace, by name.')
            .meta({ maxProperties: responseBounds.dataNames })
            .exactOptional(),
          delete: z.array(dataName()).max(responseBounds.dataNames).describe('Members to remove.').exactOptional(),
        })
        .describe('Changes of what the app keeps about this user.')
        .exactOptional(),
      events: z
        .array(
          z.object({
            type: textBetween(responseBounds.eventType),
            data: anyMembers("The event's own members."),
          }),
        )
        .max(responseBounds.events)
        .describe('Of types that the version declares; others are dropped.')
        .exactOptional(),
      status: z
        .enum(['active', 'completed', 'failed'])
        .describe('Left out: `completed` on a terminal step, otherwise `active`.')
        .exactOptional(),
      errors: z
        .array(
          z.object({
            fieldId: fieldId().describe('The field of the step, where it is one.').exactOptional(),
            message: textBetween(responseBounds.errorMessage).describe('For people.'),
          }),
        )
        .max(responseBounds.errors)
        .describe('Not empty: the submission is answered 400 and nothing changes.')
        .exactOptional(),
    }),
  {
    step: { stepId: 'done', title: 'Paid', fields: [], actions: [], terminal: true },
    appData: { set: { invoices: ['INV-6', 'INV-7'] } },
    events: [{ type: 'invoice_paid', data: { invoice: 'INV-7' } }],
  },
);

export type RenderResponse = BodyOf<typeof renderResponse>;

/** A step as apps send it and callers receive it (contract/flow-apps#answers). `step-spec` enforces the same limits. */

import { anyMembers, textBetween } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import { field, fieldId } from '../fields/field-wire.ts';
import { manifestName } from '../manifest/registry-members.ts';
import { stepBounds } from './response-bounds.ts';

export const stepWarning = bodySchema(
  'StepWarning',
  'A doubtful text of a step: the content filter neither accepts nor refuses it.',
  () =>
    z.object({
      ruleId: z.string().describe('The rule of the content filter.'),
      pointer: z.string().describe('JSON pointer (RFC 6901) into the step; empty for the step as a whole.'),
      fieldId: z.string().describe('The field that has the text, when a field has it.').exactOptional(),
      message: z.string().describe('A sentence to show next to the text.'),
    }),
  {
    ruleId: 'unsafe-links',
    pointer: '/description',
    message: 'Contains a link that may lead elsewhere than it seems to.',
  },
);

const action = () =>
  z.object({
    actionId: fieldId().describe('The id of the action, which a submission names.'),
    label: textBetween(stepBounds.actionLabel).describe("The text of the action's button."),
    validate: z
      .boolean()
      .describe('Whether the fields are validated when this action is submitted. Default: true.')
      .exactOptional(),
  });

export const stepSpec = bodySchema(
  'StepSpec',
  'One step of an app, as a client shows it.',
  () =>
    z.object({
      stepId: manifestName(),
      title: textBetween(stepBounds.title).describe('The title to show to the user.'),
      description: textBetween(stepBounds.description).describe('The description to show to the user.').exactOptional(),
      fields: z.array(field.schema()).max(stepBounds.fields).describe('The fields to fill in.'),
      actions: z.array(action()).max(stepBounds.actions).describe('The actions to choose from.'),
      options: anyMembers("The app's own hints for clients.").exactOptional(),
      payment: anyMembers('The price of a submission (x402): `{ accepts: [PaymentRequirements] }`.').exactOptional(),
      transaction: anyMembers("The transaction that the caller's wallet should sign.").exactOptional(),
      terminal: z.boolean().describe('Whether this is the last step, which ends the session.').exactOptional(),
      channels: anyMembers("The app's own hints for channels.").exactOptional(),
      warnings: z
        .array(stepWarning.schema())
        .describe(
          "Doubtful texts of the step, reported by the gateway's content filter, never by the app. Show each message next to its text. Absent if there are none.",
        )
        .exactOptional(),
    }),
  {
    stepId: 'choose',
    title: 'Which invoice?',
    fields: [{ fieldId: 'invoice', type: 'text', label: 'Invoice number', required: true }],
    actions: [{ actionId: 'next', label: 'Next' }],
  },
);

export type StepSpec = BodyOf<typeof stepSpec>;
export type StepAction = StepSpec['actions'][number];

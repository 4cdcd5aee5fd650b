/** A step as apps render it and callers see it (contract/flow-apps#answers). `step-spec` enforces the same limits. */

import { anyMembers, textBetween } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import { field, fieldId } from '../fields/field-wire.ts';
import { manifestName } from '../manifest/registry-members.ts';
import { stepBounds } from './response-bounds.ts';

export const stepWarning = bodySchema(
  'StepWarning',
  'A text of a step that may be honest or not.',
  () =>
    z.object({
      ruleId: z.string().describe('The rule of the content filter.'),
      pointer: z.string().describe('JSON pointer (RFC 6901) into the step; empty for the step as a whole.'),
      fieldId: z.string().describe('The field that has the text, when a field has it.').exactOptional(),
      message: z.string().describe('For people.'),
    }),
  { ruleId: 'unsafe-links', pointer: '/description', message: 'Holds a link that may not lead where it seems to.' },
);

const action = () =>
  z.object({
    actionId: fieldId().describe('What a submission names.'),
    label: textBetween(stepBounds.actionLabel).describe('For people.'),
    validate: z.boolean().describe('`false`: the fields are not checked.').exactOptional(),
  });

export const stepSpec = bodySchema(
  'StepSpec',
  'One step of an app, as a client shows it.',
  () =>
    z.object({
      stepId: manifestName(),
      title: textBetween(stepBounds.title).describe('For people.'),
      description: textBetween(stepBounds.description).describe('For people.').exactOptional(),
      fields: z.array(field.schema()).max(stepBounds.fields).describe('What is asked for.'),
      actions: z.array(action()).max(stepBounds.actions).describe('What can be done.'),
      options: anyMembers("The app's own hints for clients.").exactOptional(),
      payment: anyMembers('x402: `{ accepts: [PaymentRequirements] }`. Submitting costs that.').exactOptional(),
      transaction: anyMembers("What the caller's wallet is to sign.").exactOptional(),
      terminal: z.boolean().describe('`true`: nothing follows.').exactOptional(),
      channels: anyMembers("The app's own hints for channels.").exactOptional(),
      warnings: z
        .array(stepWarning.schema())
        .describe(
          "Texts that the gateway's content filter could not judge: show its words beside them. Never the app's own; left out when there are none.",
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

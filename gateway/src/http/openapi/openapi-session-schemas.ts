/** JSON Schemas of Flow sessions and of the steps that they show, and the parts that all Flow schemas share. */

import type { Field, Session, SessionInput, StepSpec, StepSubmission, StepWarning } from '@flowgate/client/flow-wire';
import type { Schema } from '../../api/json-schema.ts';
import { list, page, record, ref, text, time } from './schema-parts.ts';

export const exampleAppId = 'acme/pay';
export const exampleSessionId = 'ses_01KAJ0Z6V2M8T4Q9R3WX5Y7ABE';
export const exampleTime = '2026-11-21T10:00:00.000Z';

const namePattern = '[a-z0-9](?:[a-z0-9.\\-]{0,62}[a-z0-9])?';
export const appId: Schema = text('`publisher/slug`.', {
  pattern: `^${namePattern}/${namePattern}$`,
  examples: [exampleAppId],
});
export const version: Schema = text('Strict semver.', { maxLength: 128, examples: ['1.2.0'] });
export const stepId: Schema = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._\\-]{0,63}$' };
export const eventType: Schema = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._\\-]{0,63}$' };
export const sessionId: Schema = text('Names the session.', {
  pattern: '^ses_[0-7][0-9A-HJKMNP-TV-Z]{25}$',
  examples: [exampleSessionId],
});
/** An object whose members are somebody else's. */
export const members = (description: string, more: Schema = {}): Schema => ({
  type: 'object',
  description,
  additionalProperties: true,
  ...more,
});

const step: StepSpec = {
  stepId: 'choose',
  title: 'Which invoice?',
  fields: [{ fieldId: 'invoice', type: 'text', label: 'Invoice number', required: true }],
  actions: [{ actionId: 'next', label: 'Next' }],
};
const session: Session = {
  sessionId: exampleSessionId,
  appId: exampleAppId,
  version: '1.2.0',
  status: 'active',
  stateVersion: 1,
  currentStep: step,
  createdAt: exampleTime,
  updatedAt: exampleTime,
  expiresAt: '2026-11-22T10:00:00.000Z',
};
const bound = (description: string): Schema => ({ type: ['number', 'string'], description });
const optionItem: Schema = {
  type: 'object',
  required: ['value', 'label'],
  properties: { value: text('What is submitted.'), label: text('For people.') },
};
const actionItem: Schema = {
  type: 'object',
  required: ['actionId', 'label'],
  properties: {
    actionId: text('What a submission names.'),
    label: text('For people.'),
    validate: { type: 'boolean', description: '`false`: the fields are not checked.' },
  },
};
const fieldTypes: readonly Field['type'][] = [
  'text',
  'number',
  'boolean',
  'date',
  'select',
  'multiselect',
  'address',
  'amount',
  'signature',
  'signedTransaction',
  'txHash',
  'json',
  'secret',
];

export const sessionSchemas: Readonly<Record<string, Schema>> = {
  Field: record<Field>(
    'Something that a step asks for.',
    {
      fieldId: text('The name in `fieldValues`.'),
      type: { type: 'string', enum: fieldTypes },
      label: text('For people.'),
      required: { type: 'boolean', description: 'Left out: not required.' },
      value: { description: 'What it holds before the caller changes it; never present on `secret` fields.' },
      options: list('For `select` and `multiselect`.', optionItem),
      pattern: text('RE2, anchored at both ends.'),
      min: bound('Inclusive.'),
      max: bound('Inclusive.'),
      help: text('For people.'),
    },
    ['fieldId', 'type', 'label'],
    { fieldId: 'invoice', type: 'text', label: 'Invoice number', required: true },
  ),
  StepSpec: record<StepSpec>(
    'One step of an app, as a client shows it.',
    {
      stepId,
      title: text('For people.'),
      description: text('For people.'),
      fields: list('What is asked for.', ref('Field')),
      actions: list('What can be done.', actionItem),
      options: members("The app's own hints for clients."),
      payment: members('x402: `{ accepts: [PaymentRequirements] }`. Submitting costs that.'),
      transaction: members("What the caller's wallet is to sign."),
      terminal: { type: 'boolean', description: '`true`: nothing follows.' },
      channels: members("The app's own hints for channels."),
      warnings: list(
        "Texts that the gateway's content filter could not judge: show its words beside them. Never the app's own; left out when there are none.",
        ref('StepWarning'),
      ),
    },
    ['stepId', 'title', 'fields', 'actions'],
    step,
  ),
  StepWarning: record<StepWarning>(
    'A text of a step that may be honest or not.',
    {
      ruleId: text('The rule of the content filter.'),
      pointer: text('JSON pointer (RFC 6901) into the step; empty for the step as a whole.'),
      fieldId: text('The field that has the text, when a field has it.'),
      message: text('For people.'),
    },
    ['ruleId', 'pointer', 'message'],
    { ruleId: 'unsafe-links', pointer: '/description', message: 'Holds a link that may not lead where it seems to.' },
  ),
  SessionInput: record<SessionInput>(
    'What to start.',
    {
      appId,
      version: { ...version, type: ['string', 'null'], description: 'Default: the latest active one.' },
      startStepId: text("One of the version's `startSteps`; default: the first.", { type: ['string', 'null'] }),
      launchContext: members('Passed on to the app as it is.', { type: ['object', 'null'] }),
    },
    ['appId'],
    { appId: exampleAppId },
  ),
  Session: record<Session>(
    "One user's walk through one version of an app.",
    {
      sessionId,
      appId,
      version,
      status: { type: 'string', enum: ['active', 'completed', 'cancelled', 'expired', 'failed'] },
      stateVersion: { type: 'integer', description: '1 after the start, one more with each transition.', minimum: 1 },
      currentStep: ref('StepSpec'),
      createdAt: time('When it was started.'),
      updatedAt: time('When it last changed.'),
      expiresAt: time('When it ends unless something happens.'),
      paymentReceipt: ref('PaymentReceipt'),
    },
    ['sessionId', 'appId', 'version', 'status', 'stateVersion', 'currentStep', 'createdAt', 'updatedAt', 'expiresAt'],
    session,
  ),
  SessionPage: page('Sessions, newest first.', 'Session', session),
  StepSubmission: record<StepSubmission>(
    "An action on the session's current step.",
    {
      actionId: text("One of the step's actions."),
      fieldValues: members('By `fieldId`; unknown ones are refused.', { type: ['object', 'null'] }),
      stateVersion: { type: 'integer', description: "The session's, as the submitter knows it.", minimum: 1 },
    },
    ['actionId', 'stateVersion'],
    { actionId: 'next', fieldValues: { invoice: 'INV-7' }, stateVersion: 1 },
  ),
};

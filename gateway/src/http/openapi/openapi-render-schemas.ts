/** JSON Schemas of what the gateway sends to others, and of what they answer: render requests to Flow Apps, webhooks to endpoints. */

import type { RenderRequest, RenderResponse, WebhookBody } from '@flowgate/client/flow-wire';
import type { Schema } from '../../api/json-schema.ts';
import {
  appId,
  eventType,
  exampleAppId,
  exampleSessionId,
  exampleTime,
  members,
  sessionId,
  stepId,
  version,
} from './openapi-session-schemas.ts';
import { list, record, ref, text, time } from './schema-parts.ts';

const object = (required: readonly string[], properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  required,
  properties,
});

/** What every event says about its session; the rest is its type's. */
export const eventData: Schema = {
  ...object(['appId', 'version'], {
    sessionId,
    appId,
    version,
    stateVersion: { type: 'integer', minimum: 1 },
  }),
  description:
    '`sessionId`, `appId`, `version`, `stateVersion`, and what the type brings; never the value of a secret field.',
  additionalProperties: true,
};

const request: RenderRequest = {
  protocolVersion: '1',
  requestId: 'req_01KAJ0Z6V2',
  reason: 'submit',
  session: {
    sessionId: exampleSessionId,
    appId: exampleAppId,
    version: '1.2.0',
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
};
const response: RenderResponse = {
  step: { stepId: 'done', title: 'Paid', fields: [], actions: [], terminal: true },
  appData: { set: { invoices: ['INV-6', 'INV-7'] } },
  events: [{ type: 'invoice_paid', data: { invoice: 'INV-7' } }],
};
const delivered: WebhookBody = {
  id: 'evt_01KAJ0Z6V2M8T4Q9R3WX5Y7ABC',
  type: 'session_completed',
  timestamp: exampleTime,
  data: { sessionId: exampleSessionId, appId: exampleAppId, version: '1.2.0', stateVersion: 2 },
};

export const renderSchemas: Readonly<Record<string, Schema>> = {
  RenderRequest: record<RenderRequest>(
    'A reducer’s input: the state that a session is in, and what was submitted.',
    {
      protocolVersion: { type: 'string', const: '1' },
      requestId: text("The caller's request, as in `X-Request-Id`."),
      reason: { type: 'string', enum: ['start', 'submit'] },
      session: object(['sessionId', 'appId', 'version', 'stateVersion', 'userId'], {
        sessionId,
        appId,
        version,
        stateVersion: { type: 'integer', description: '0 for the start.', minimum: 0 },
        userId: text('Stable, different for each app.'),
      }),
      stepId: { ...stepId, description: 'The step to start at, or that was submitted.' },
      idempotencyKey: text(
        'On a start that was sent with an idempotency key: derived from it, the same on every retry of this start.',
      ),
      launchContext: members('As the session was started with.'),
      state: members('What the app answered last; `{}` at the start.'),
      appData: members('What the app keeps about this user.'),
      appDataTruncated: {
        type: 'boolean',
        const: true,
        description: 'The app keeps more about this user than is allowed, and `appData` is only a part.',
      },
      submission: object(['stepId', 'actionId', 'fieldValues', 'idempotencyKey'], {
        stepId,
        actionId: text("One of the step's actions."),
        fieldValues: members('By `fieldId`, checked against the step.'),
        idempotencyKey: text('The same on every retry of one submission: act once for each.'),
        paymentReceipt: ref('PaymentReceipt'),
      }),
    },
    ['protocolVersion', 'requestId', 'reason', 'session', 'stepId', 'state', 'appData'],
    request,
  ),
  RenderResponse: record<RenderResponse>(
    'A reducer’s output: the step to show next, and what changes. At most 1 MiB.',
    {
      step: ref('StepSpec'),
      state: members('Left out: unchanged.'),
      appData: {
        ...object([], {
          set: members('Members to replace, by name.'),
          delete: list('Members to remove.', { type: 'string' }),
        }),
        description: 'Changes of what the app keeps about this user.',
      },
      events: list(
        'Of types that the version declares; others are dropped.',
        object(['type', 'data'], { type: eventType, data: members("The event's own members.") }),
      ),
      status: {
        type: 'string',
        enum: ['active', 'completed', 'failed'],
        description: 'Left out: `completed` on a terminal step, otherwise `active`.',
      },
      errors: list(
        'Not empty: the submission is answered 400 and nothing changes.',
        object(['message'], { fieldId: text('The field of the step, where it is one.'), message: text('For people.') }),
      ),
    },
    ['step'],
    response,
  ),
  WebhookBody: record<WebhookBody>(
    'A delivered event: a FlowEvent without its sequence.',
    {
      id: text('Unique; the same on every delivery.', { pattern: '^evt_' }),
      type: eventType,
      timestamp: time('When it happened.'),
      data: eventData,
    },
    ['id', 'type', 'timestamp', 'data'],
    delivered,
  ),
};

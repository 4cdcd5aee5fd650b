/** JSON Schemas of the Flow registry, of events, subscriptions and queries; each example satisfies client/src/flow-wire.ts. */

import type {
  App,
  AppInput,
  FlowEvent,
  FlowEventPage,
  QueryResult,
  Subscription,
  SubscriptionInput,
  Version,
  VersionInput,
} from '@flowgate/client/flow-wire';
import type { Schema } from '../../api/json-schema.ts';
import { eventData, renderSchemas } from './openapi-render-schemas.ts';
import {
  appId,
  eventType,
  exampleAppId,
  exampleSessionId,
  exampleTime,
  sessionSchemas,
  stepId,
  version,
} from './openapi-session-schemas.ts';
import { list, page, record, ref, text, time } from './schema-parts.ts';

const exampleUrl = 'https://pay.acme.example/flow';
const appName = text('For people; no control characters.', { minLength: 1, maxLength: 100 });
const longText = { minLength: 1, maxLength: 2_000 };
const visibility: Schema = { type: 'string', enum: ['public', 'private'] };

const app: App = {
  appId: exampleAppId,
  name: 'Pay an invoice',
  visibility: 'public',
  latestVersion: '1.2.0',
  createdAt: exampleTime,
};

const one = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});
const baseUrl = text('`/renderStep` and `/health` are below it. No user, query or fragment.', {
  format: 'uri',
  maxLength: 2_048,
});
const steps = list('Every step that the app may render.', one({ stepId }), { minItems: 1, maxItems: 200 });
const startSteps = (more: Schema) =>
  list('Steps that a session may start at; the first one unless told.', stepId, { maxItems: 200, ...more });
const queries = (more: Schema) =>
  list(
    "What can be asked about a caller's app data.",
    one({ queryId: stepId, path: text('JSON pointer (RFC 6901) into the app data.', { maxLength: 512 }) }),
    { maxItems: 100, ...more },
  );
const events = (more: Schema) =>
  list("Types of the app's own events.", one({ type: eventType }), { maxItems: 100, ...more });
const secretText = (description: string, more: Schema = {}) =>
  text(description, { pattern: '^whsec_[A-Za-z0-9+/]{32,86}={0,2}$', ...more });

const versionInput: VersionInput = {
  version: '1.2.0',
  baseUrl: exampleUrl,
  startSteps: ['choose'],
  steps: [{ stepId: 'choose' }, { stepId: 'done' }],
  queries: [{ queryId: 'lastInvoice', path: '/invoices/0' }],
  events: [{ type: 'invoice_paid' }],
};
const published: Version = {
  appId: exampleAppId,
  version: '1.2.0',
  baseUrl: exampleUrl,
  startSteps: ['choose'],
  steps: [{ stepId: 'choose' }, { stepId: 'done' }],
  queries: [{ queryId: 'lastInvoice', path: '/invoices/0' }],
  events: [{ type: 'invoice_paid' }],
  status: 'active',
  createdAt: exampleTime,
};

const registrySchemas = {
  AppInput: record<AppInput>(
    'An app to register. Its publisher is the part of `appId` before the slash: the first user to register an app under it owns it.',
    {
      appId,
      name: appName,
      description: text('For people.', { type: ['string', 'null'], ...longText }),
      visibility: {
        ...visibility,
        type: ['string', 'null'],
        enum: ['public', 'private', null],
        description: 'A private app is visible to its owner only. Left out: `private`.',
      },
    },
    ['appId', 'name'],
    { appId: exampleAppId, name: 'Pay an invoice', visibility: 'public' },
  ),
  App: record<App>(
    'A registered app.',
    {
      appId,
      name: appName,
      description: text('For people.', longText),
      visibility,
      latestVersion: {
        ...version,
        description: 'What a start without a version gets; absent while none is active.',
      },
      createdAt: time('When it was registered.'),
    },
    ['appId', 'name', 'visibility', 'createdAt'],
    app,
  ),
  AppPage: page('Apps, newest first.', 'App', app),
  VersionInput: record<VersionInput>(
    'A version to publish. Its health is asked before it is stored.',
    {
      version,
      baseUrl,
      signingSecret: secretText('Generated and returned once when left out: `whsec_` and base64 of 24 to 64 bytes.', {
        type: ['string', 'null'],
      }),
      startSteps: startSteps({ type: ['array', 'null'], minItems: 1 }),
      steps,
      queries: queries({ type: ['array', 'null'] }),
      events: events({ type: ['array', 'null'] }),
    },
    ['version', 'baseUrl', 'steps'],
    versionInput,
  ),
  Version: record<Version>(
    'A published version.',
    {
      appId,
      version,
      baseUrl: text('Where it answers; `embedded:` for an app that runs in the gateway.'),
      startSteps: startSteps({ minItems: 1 }),
      steps,
      queries: queries({}),
      events: events({}),
      status: { type: 'string', enum: ['active', 'retired'] },
      createdAt: time('When it was published.'),
      signingSecret: secretText('Only in the answer that published it, and only when the gateway generated it.'),
    },
    ['appId', 'version', 'baseUrl', 'startSteps', 'steps', 'queries', 'events', 'status', 'createdAt'],
    published,
  ),
  VersionPage: page('Versions, newest first.', 'Version', published),
};

const flowEvent: FlowEvent = {
  id: 'evt_01KAJ0Z6V2M8T4Q9R3WX5Y7ABC',
  sequence: 1,
  type: 'session_created',
  timestamp: exampleTime,
  data: { sessionId: exampleSessionId, appId: exampleAppId, version: '1.2.0', stateVersion: 1 },
};
const subscription: Subscription = {
  subscriptionId: 'sub_01KAJ0Z6V2M8T4Q9R3WX5Y7ABD',
  appId: exampleAppId,
  eventType: 'session_completed',
  targetUrl: 'https://hooks.example/flowgate',
  status: 'active',
  createdAt: exampleTime,
};
const targetUrl = text('Where deliveries go: https, unless the operator allows otherwise.', {
  format: 'uri',
  maxLength: 2_048,
});

const eventSchemas = {
  FlowEvent: record<FlowEvent>(
    'Something that happened in a session.',
    {
      id: text('Unique; the same on every delivery.', { pattern: '^evt_' }),
      sequence: { type: 'integer', description: 'Counts per session, without gaps.', minimum: 1 },
      type: eventType,
      timestamp: time('When it happened.'),
      data: eventData,
    },
    ['id', 'sequence', 'type', 'timestamp', 'data'],
    flowEvent,
  ),
  FlowEventPage: record<FlowEventPage>(
    'Events, in the order in which they happened.',
    {
      data: list('The events of this page.', ref('FlowEvent')),
      nextCursor: text("The last event's sequence: pass it as `?after=`.", { pattern: '^\\d+$' }),
    },
    ['data'],
    { data: [flowEvent], nextCursor: '1' },
  ),
  SubscriptionInput: record<SubscriptionInput>(
    "A webhook for one type of events of the caller's own sessions.",
    {
      eventType,
      targetUrl,
      secret: text('Signs the deliveries; generated and returned once when left out.', {
        type: ['string', 'null'],
        minLength: 16,
        maxLength: 256,
      }),
    },
    ['eventType', 'targetUrl'],
    { eventType: 'session_completed', targetUrl: subscription.targetUrl },
  ),
  Subscription: record<Subscription>(
    'A webhook. Deliveries are signed as Standard Webhooks have it.',
    {
      subscriptionId: text('Names the subscription.', { pattern: '^sub_' }),
      appId,
      eventType,
      targetUrl: text('Where deliveries go.'),
      status: { type: 'string', enum: ['active', 'disabled'] },
      createdAt: time('When it was made.'),
      secret: text('Only in the answer that created it, and only when the gateway generated it.'),
      disabledReason: text('Why deliveries stopped; present when disabled.'),
      disabledAt: time('When they stopped; present when disabled.'),
    },
    ['subscriptionId', 'appId', 'eventType', 'targetUrl', 'status', 'createdAt'],
    subscription,
  ),
  SubscriptionPage: page('Subscriptions, newest first.', 'Subscription', subscription),
  QueryResult: record<QueryResult>(
    "What the caller's app data holds at the query's path.",
    { data: { description: 'Any JSON value.' } },
    ['data'],
    { data: { number: 'INV-7', amount: '120.00' } },
  ),
};

export const flowSchemas: Readonly<Record<string, Schema>> = {
  ...registrySchemas,
  ...sessionSchemas,
  ...eventSchemas,
  ...renderSchemas,
};

/** JSON Schemas of events, subscriptions and queries; each example satisfies client/src/flow-wire.ts. */

import type {
  FlowEvent,
  FlowEventPage,
  QueryResult,
  Subscription,
  SubscriptionInput,
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
} from './openapi-session-schemas.ts';
import { list, page, record, ref, text, time } from './schema-parts.ts';

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
  ...sessionSchemas,
  ...eventSchemas,
  ...renderSchemas,
};

/** A subscription as its owner sees it (contract/events#subscriptions). */

import { typeIdForm } from '@flowgate/base/ids';
import { isoTime } from '@flowgate/base/iso-time';
import { time } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema, pageSchema } from '@flowgate/body-schema/body-schema';
import { appId, exampleAppId, exampleTime, manifestName } from '@flowgate/flow-format/manifest/registry-members';
import { z } from 'zod';
import type { PathParameterDoc } from '../../api/route.ts';
import { appPath } from '../registry/registry-paths.ts';
import { exampleTargetUrl } from './subscription-input.ts';
import type { SubscriptionRecord } from './subscription-store.ts';

const exampleId = 'sub_01KAJ0Z6V2M8T4Q9R3WX5Y7ABD';

const subscriptionId = () => z.string().regex(typeIdForm('sub'));

export const subscription = bodySchema(
  'Subscription',
  'A webhook. Deliveries are signed according to Standard Webhooks.',
  () =>
    z.object({
      subscriptionId: subscriptionId().describe('The id of the subscription.'),
      appId: appId(),
      eventType: manifestName(),
      targetUrl: z.string().describe('The URL of the endpoint.'),
      status: z.enum(['active', 'disabled']),
      createdAt: time('The time of its creation.'),
      secret: z
        .string()
        .describe(
          'Present only in the response that created the subscription, and only if the gateway generated the secret.',
        )
        .exactOptional(),
      disabledReason: z
        .string()
        .describe('Why the subscription was disabled; present only if it is disabled.')
        .exactOptional(),
      disabledAt: time('When the subscription was disabled; present only if it is disabled.').exactOptional(),
    }),
  {
    subscriptionId: exampleId,
    appId: exampleAppId,
    eventType: 'session_completed',
    targetUrl: exampleTargetUrl,
    status: 'active',
    createdAt: exampleTime,
  },
);

export type Subscription = BodyOf<typeof subscription>;

export const subscriptionPage = pageSchema('SubscriptionPage', 'Subscriptions, newest first.', subscription);

export const subscriptionPath = {
  ...appPath,
  subscriptionId: { description: 'The subscription.', schema: subscriptionId, example: exampleId },
} as const satisfies Readonly<Record<string, PathParameterDoc>>;

/** Without the secret, which only the response to its creation contains. */
export function subscriptionView(record: SubscriptionRecord): Subscription {
  const { subscriptionId, appId, eventType, targetUrl, status, createdAtMs, disabledReason, disabledAtMs } = record;
  return {
    subscriptionId,
    appId,
    eventType,
    targetUrl,
    status,
    createdAt: isoTime(createdAtMs),
    ...(disabledReason === undefined ? {} : { disabledReason }),
    ...(disabledAtMs === undefined ? {} : { disabledAt: isoTime(disabledAtMs) }),
  };
}

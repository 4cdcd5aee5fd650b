/** Subscribes a URL to one event type of the caller's own sessions of an app (contract/events#subscriptions). */

import type { NewTypeId } from '@flowgate/base/ids';
import type { RandomBytes } from '@flowgate/base/random';
import { type Ok, ok, refused } from '@flowgate/base/result';
import { refusedForOne } from '@flowgate/body-schema/body-problems';
import { isManifestName } from '@flowgate/flow-format/manifest/app-id';
import { platformEventTypes } from '@flowgate/flow-format/manifest/event-types';
import type { EncryptionAtRest } from '@flowgate/sql/encryption-at-rest';
import type { Caller } from '../../api/caller.ts';
import type { RouteRefusal } from '../../api/route.ts';
import { type AppDeps, usableApp } from '../registry/app-access.ts';
import type { RegistryStore } from '../registry/registry-store.ts';
import { newWebhookSecret } from '../signing/webhook-signature.ts';
import { parseSubscriptionInput, type VetUrl } from './subscription-input.ts';
import type { SubscriptionRecord, SubscriptionStore } from './subscription-store.ts';
import { type Subscription, subscriptionView } from './subscription-wire.ts';
import { webhookSecretContext } from './webhook-secret-context.ts';

export type SubscribeDeps = AppDeps & {
  readonly subscriptions: Pick<SubscriptionStore, 'insertIfUnder'>;
  readonly registry: Pick<RegistryStore, 'declaresEvent'>;
  readonly vetUrl: VetUrl;
  readonly encryption: Pick<EncryptionAtRest, 'seal'>;
  readonly newId: NewTypeId;
  /** Wall-clock time that never repeats: lists are ordered by it. */
  readonly creationTime: () => number;
  readonly randomBytes: RandomBytes;
};

/** Maximum for one user and app, disabled subscriptions included. */
export const maxSubscriptions = 20;
/** Maximum for one user, over all apps. */
export const maxSubscriptionsOfUser = 500;

/** The response contains the secret only when the gateway generated it. */
export async function subscribe(
  deps: SubscribeDeps,
  { caller, appId }: { readonly caller: Caller; readonly appId: string },
  body: unknown,
): Promise<Ok<Subscription> | RouteRefusal> {
  const { userId } = caller;
  const app = await usableApp(deps, caller, appId);
  if (!app.ok) return app;
  const input = parseSubscriptionInput(body, deps.vetUrl);
  if (!input.ok) return input;
  const { eventType, targetUrl } = input.value;
  if (!(await isDeclared(deps.registry, appId, eventType)))
    return refusedForOne("eventType must be one of the platform's types or one that the app declares");
  const secret = input.value.secret ?? newWebhookSecret(deps.randomBytes);
  const subscriptionId = deps.newId('sub');
  const record: SubscriptionRecord = {
    subscriptionId,
    userId,
    appId,
    eventType,
    targetUrl,
    sealedSecret: deps.encryption.seal(secret, webhookSecretContext(subscriptionId)),
    status: 'active',
    createdAtMs: deps.creationTime(),
  };
  if (!(await deps.subscriptions.insertIfUnder(record, maxSubscriptions, maxSubscriptionsOfUser)))
    return refused(
      'conflict',
      `You have ${maxSubscriptions} subscriptions to this app, or ${maxSubscriptionsOfUser} over all apps: delete one first.`,
    );
  const view = subscriptionView(record);
  return ok(input.value.secret === undefined ? { ...view, secret } : view);
}

/** Platform types, and types that any active version of the app declares. */
async function isDeclared(
  registry: Pick<RegistryStore, 'declaresEvent'>,
  appId: string,
  eventType: string,
): Promise<boolean> {
  if (platformEventTypes.some((type) => type === eventType)) return true;
  return isManifestName(eventType) && registry.declaresEvent(appId, eventType);
}

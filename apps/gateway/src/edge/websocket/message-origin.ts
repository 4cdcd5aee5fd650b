/** What the messages of one connection share: the caller, the path, and the subscriptions. */

import { closeCodes } from '@flowgate/websocket/server/close-codes';
import type { WebSocket } from '@flowgate/websocket/server/web-socket';
import type { Caller } from '../../api/caller.ts';
import type { Credential } from '../../api/credential.ts';
import type { CallGuards } from '../../rpc/call-guard.ts';
import type { SplitBatch } from '../../rpc/engine/split-batch.ts';
import { ConnectionSubscriptions } from '../../rpc/subscriptions/connection-subscriptions.ts';
import { subscribingTarget } from '../../rpc/subscriptions/subscribing-target.ts';
import type { Subscriptions } from '../../rpc/subscriptions/subscriptions.ts';
import type { RpcTarget, RpcTargets } from '../../rpc/target.ts';
import type { MessageOrigin } from '../contexts/message-context.ts';
import { type Maintaining, noticeAt } from '../contexts/refuse-in-maintenance.ts';
import type { UpgradeContext } from '../contexts/upgrade-context.ts';
import { endCredential } from './web-sockets.ts';

export type OriginServices = Maintaining & {
  readonly targets: RpcTargets;
  readonly guards: CallGuards;
  readonly subscriptions: Pick<Subscriptions, 'subscribe'>;
  readonly splitSubscriptions: (target: RpcTarget) => SplitBatch;
};

const lostText = 'Notifications were lost: connect again.';

export function createMessageOrigin(
  services: OriginServices,
  context: UpgradeContext,
  { caller, credential }: { readonly caller: Caller; readonly credential: Credential },
  socket: WebSocket,
): { readonly origin: MessageOrigin; readonly subscriptions: ConnectionSubscriptions; readonly abort: () => void } {
  const { params } = context;
  const aborting = new AbortController();
  const { signal } = aborting;
  const subscriptions = new ConnectionSubscriptions(services.subscriptions, {
    caller: { userId: caller.userId, caller, request: { signal } },
    notify: (notification) => socket.notify(notification),
    lost: () => socket.close(closeCodes.restart, lostText),
    isPermitted: (target) => isPermitted(services, params, caller, target),
  });
  const targets = new WeakMap<RpcTarget, RpcTarget>();
  const origin: MessageOrigin = {
    route: context.route,
    params,
    path: context.path,
    maskedPath: context.maskedPath,
    peer: context.peer(),
    clientAddress: context.clientAddress(),
    signal,
    credential,
    inFlight: { calls: 0 },
    subscribing(target) {
      const known = targets.get(target);
      if (known !== undefined) return known;
      const own = subscribingTarget(target, subscriptions, services.splitSubscriptions(target));
      targets.set(target, own);
      return own;
    },
    credentialEnded: () => endCredential(socket),
  };
  return { origin, subscriptions, abort: () => aborting.abort() };
}

/** Decides as for the next `eth_subscribe` of this caller. While the database is unavailable, policies are unknown and running subscriptions continue. */
async function isPermitted(
  { maintenance, targets, guards }: OriginServices,
  params: Readonly<Record<string, string>>,
  caller: Caller,
  target: RpcTarget,
): Promise<boolean> {
  if (noticeAt(maintenance, target.place.network) !== undefined) return false;
  if (targets.find(params, caller) === undefined) {
    await targets.learn(params, caller);
    if (targets.find(params, caller) === undefined) return false;
  }
  if (guards.isIdle) return true;
  const guard = await guards.guardFor(caller, target.place);
  return guard === 'unavailable' || !guard.refuses({ method: 'eth_subscribe', params: undefined });
}

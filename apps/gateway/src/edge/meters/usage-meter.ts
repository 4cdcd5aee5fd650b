/**
 * Counts the usage of authenticated callers, from the findings of a request's steps. It runs for every call, so it allocates nothing (docs/decisions/0114).
 */

import type { Clock } from '@flowgate/base/clock';
import { type RefusalReason, refusalReasons, refusals } from '../../api/refusal.ts';
import type { Route } from '../../api/route.ts';
import { type CountUse, noLabel, otherLabel, tokenLabel, type UsageOutcome, type Used } from '../../api/used.ts';
import { AgentContext } from '../contexts/agent-context.ts';
import { MessageContext } from '../contexts/message-context.ts';
import type { RequestContext } from '../contexts/request-context.ts';
import { RouteContext } from '../contexts/route-context.ts';
import { RpcContext } from '../contexts/rpc-context.ts';
import { UpgradeContext } from '../contexts/upgrade-context.ts';
import type { RequestMeter } from './request-meter.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** By reason: status 5xx means that the gateway, a node or an app failed. */
const outcomeOf = new Map<RefusalReason, UsageOutcome>(
  refusalReasons.map((reason) => [reason, outcomeOfReason(reason)]),
);

function outcomeOfReason(reason: RefusalReason): UsageOutcome {
  if (reason === 'rate-limited') return 'limited';
  return refusals[reason].status >= 500 ? 'failed' : 'refused';
}

/** The method of a request that opens a WebSocket. */
const connecting = 'connect';

export function createUsageMeter(count: CountUse, { monotonic }: Pick<Clock, 'monotonic'>): RequestMeter {
  /** One object for all requests: it is filled and passed on synchronously. */
  const used: Writable<Used> = {
    ...{ userId: '', keyId: tokenLabel, surface: 'rpc', network: noLabel, app: noLabel, method: otherLabel },
    ...{ outcome: 'ok', ms: 0, requests: 1, nowMs: 0 },
  };
  const routeNames = new WeakMap<Route, string>();
  const nameOf = (route: Route): string => {
    const known = routeNames.get(route);
    if (known !== undefined) return known;
    const name = `${route.method} ${route.path}`;
    routeNames.set(route, name);
    return name;
  };

  function countRpc(context: RpcContext): void {
    const isMessage = context instanceof MessageContext;
    const target = context.knownTarget;
    used.surface = isMessage || context instanceof UpgradeContext ? 'websocket' : 'rpc';
    used.network = target === undefined ? otherLabel : target.place.network;
    used.app = noLabel;
    const messages = context.knownMessages;
    if (messages === undefined || target === undefined) {
      used.method = context instanceof UpgradeContext ? connecting : otherLabel;
      count(used);
      return;
    }
    const named = target.named ?? target.reads;
    if (messages.kind === 'single') {
      const { message } = messages;
      used.method = message.kind === 'call' && named.has(message.method) ? message.method : otherLabel;
      if (used.outcome === 'ok') used.outcome = context.outcomes?.[0] ?? (context.isFromMemory ? 'cached' : 'ok');
      count(used);
      return;
    }
    countBatch(context, messages.messages, named);
  }

  /** Consecutive calls of one method with one outcome are counted together. */
  function countBatch(
    { outcomes, isFromMemory, refusedFor }: RpcContext,
    messages: readonly ({ readonly kind: 'call'; readonly method: string } | { readonly kind: 'invalid' })[],
    named: ReadonlySet<string>,
  ): void {
    const whole: UsageOutcome = isFromMemory && used.outcome === 'ok' ? 'cached' : used.outcome;
    let begun = 0;
    for (let at = 0; at < messages.length; at++) {
      const message = messages[at];
      // A batch that was answered, but whose answer exceeded the budget, is refused as a whole.
      const outcome = (refusedFor === undefined ? outcomes?.[at] : undefined) ?? whole;
      const method = message?.kind === 'call' && named.has(message.method) ? message.method : otherLabel;
      if (at > begun && (method !== used.method || outcome !== used.outcome)) {
        used.requests = at - begun;
        count(used);
        begun = at;
      }
      used.method = method;
      used.outcome = outcome;
    }
    used.requests = messages.length - begun;
    if (used.requests > 0) count(used);
  }

  function countRoute(context: RouteContext): void {
    used.surface = context.envelope === 'flow' ? 'flow' : 'rest';
    used.network = noLabel;
    used.app = appOf(context);
    used.method = nameOf(context.route);
    count(used);
  }

  function countAgent(context: AgentContext): void {
    const { tool, asked } = context;
    used.surface = 'agents';
    used.network = asked instanceof RpcContext ? (asked.knownTarget?.place.network ?? otherLabel) : noLabel;
    used.app = asked instanceof RouteContext ? appOf(asked) : noLabel;
    used.method = tool ?? otherLabel;
    if (asked?.refusedFor !== undefined) used.outcome = outcomeOf.get(asked.refusedFor) ?? 'failed';
    else if (asked instanceof RpcContext && asked.isFromMemory) used.outcome = 'cached';
    count(used);
  }

  return (context: RequestContext) => {
    // Usage is counted for authenticated callers only.
    if (!context.isAuthenticated) return;
    const { caller, refusedFor } = context;
    used.userId = caller.userId;
    used.keyId = caller.keyId ?? tokenLabel;
    used.nowMs = monotonic();
    used.ms = used.nowMs - context.openedMs;
    used.requests = 1;
    used.outcome = refusedFor === undefined ? 'ok' : (outcomeOf.get(refusedFor) ?? 'failed');
    if (context instanceof RpcContext) countRpc(context);
    else if (context instanceof RouteContext) countRoute(context);
    else if (context instanceof AgentContext) countAgent(context);
  };
}

/** The app that the route reported, or that the path names when the request was not refused, because the app then exists. */
function appOf({ app, params, refusedFor }: RouteContext): string {
  return app ?? (refusedFor === undefined ? params['appId'] : undefined) ?? noLabel;
}

/**
 * Users of nodes, policies, limits and maintenance over HTTP through each gateway of a cluster, and the changes that
 * the audit log must contain.
 */

import { expect } from 'bun:test';
import { systemClock } from '@flowgate/base/clock';
import { type NodeClient, type NodeUser, nodeClient } from '../../apps/gateway/test/fixtures/node-client.ts';
import type { Minted } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import type { Cluster, GatewayService } from './cluster.ts';
import { until } from './until.ts';

/** The contract's bound until a change on one gateway applies on the others. */
export const inForceWithinMs = 5_000;

export type ResourceClients = {
  /** One client for each gateway, in the order of the cluster; they share an API key. */
  readonly as: (user: NodeUser & { readonly sub: string }) => readonly NodeClient[];
  /** The same user through the balancer. */
  readonly balanced: (user: NodeUser & { readonly sub: string }) => NodeClient;
  /** Management actions that succeeded, and those without a response or with a 5xx, whose outcome is unknown. */
  readonly actions: { acknowledged: number; unclear: number };
};

export function createResourceClients({ gateways, balancer, issuer }: Cluster): ResourceClients {
  const actions = { acknowledged: 0, unclear: 0 };
  const keys = new Map<string, Promise<Minted>>();
  const fetchAt =
    (url: string) =>
    async (path: string, init: RequestInit = {}) => {
      const isAction = init.method !== undefined && init.method !== 'GET' && !path.endsWith('/rpc');
      try {
        // The balancer's certificate is self-signed.
        const tls = { rejectUnauthorized: false };
        const response = await fetch(`${url}${path}`, { ...init, keepalive: false, tls });
        if (isAction && response.ok) actions.acknowledged += 1;
        if (isAction && response.status >= 500) actions.unclear += 1;
        return response;
      } catch (error) {
        if (isAction) actions.unclear += 1;
        throw error;
      }
    };
  const token = (sub = 'alice', claims = {}) => issuer.token({ sub, ...claims });
  const clientAt = (url: string, user: NodeUser & { readonly sub: string }) => {
    const fetch = fetchAt(url);
    const mint = async (sub = 'alice') => {
      const response = await fetch('/users/me/api-keys', {
        method: 'POST',
        headers: { Authorization: `Bearer ${token(sub)}`, 'Content-Type': 'application/json' },
        body: '{"label":"cluster test"}',
      });
      expect(response.status).toBe(201);
      return (await response.json()) as Minted;
    };
    const sharedKey = (sub = 'alice') => {
      const minted = keys.get(sub) ?? mint(sub);
      keys.set(sub, minted);
      return minted;
    };
    return nodeClient({ fetch, token, mint: sharedKey }, user);
  };
  return {
    as: (user) => gateways.map(({ url }) => clientAt(url, user)),
    balanced: (user) => clientAt(`https://127.0.0.1:${balancer?.port}`, user),
    actions,
  };
}

/**
 * Resolves once `isInForce`, with the milliseconds from `sinceMs` until its response. Expects that no request sent
 * after the contract's bound had the old result. A machine that delays the requests delays the gateways' polls as well:
 * the slowest request is added to the bound.
 */
export async function inForceAfter(what: string, sinceMs: number, isInForce: () => Promise<boolean>): Promise<number> {
  let lastMs = sinceMs;
  let slowestMs = 0;
  await until(what, async () => {
    const sentMs = systemClock.monotonic();
    const holds = await isInForce();
    slowestMs = Math.max(slowestMs, systemClock.monotonic() - sentMs);
    if (!holds) lastMs = sentMs;
    return holds;
  });
  expect(lastMs - sinceMs, what).toBeLessThan(inForceWithinMs + slowestMs);
  return systemClock.monotonic() - sinceMs;
}

/** The gateway that most recently began to check nodes, by the logs of the running processes. */
export async function checkingLeader(gateways: readonly GatewayService[]): Promise<GatewayService | undefined> {
  let latest: { readonly time: string; readonly gateway: GatewayService } | undefined;
  for (const gateway of gateways)
    for (const line of (await gateway.log()).split('\n').filter((each) => each.includes('"nodes.leading"'))) {
      const { time } = JSON.parse(line) as { time: string };
      if (latest === undefined || time > latest.time) latest = { time, gateway };
    }
  return latest?.gateway;
}

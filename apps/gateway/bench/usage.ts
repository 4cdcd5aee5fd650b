/**
 * Measures the time that counting usage adds to a call, compared with the request meter in the same run. `bun
 * apps/gateway/bench/usage.ts`. Only the ratio counts: nanoseconds depend on the machine.
 */

import { systemClock } from '@flowgate/base/clock';
import type { Caller } from '../src/api/caller.ts';
import { createInstruments } from '../src/bootstrap/create-instruments.ts';
import { RpcContext } from '../src/edge/contexts/rpc-context.ts';
import { createRequestMeter, type RequestMeter } from '../src/edge/meters/request-meter.ts';
import { createUsageMeter } from '../src/edge/meters/usage-meter.ts';
import { UsageCounter } from '../src/usage/usage-counter.ts';

const methods = ['eth_getBalance', 'eth_call', 'eth_chainId'];
const named = new Set(methods);
const target = { named, place: { network: 'ethereum/dev' } };
const rounds = 8;
const calls = 1_000_000;
const atOnce = 1_000;

for (const [users, keys] of [
  [1, 1],
  [1, 10],
  [100, 1],
  [1_000, 1],
] as const) {
  const contexts = Array.from({ length: atOnce }, (_, nth) => contextOf(nth, users, keys));
  const instruments = createInstruments({ clock: systemClock, version: 'bench' });
  const meter = minNs(createRequestMeter(instruments, systemClock), contexts);
  const usage = minNs(createUsageMeter(new UsageCounter(systemClock).count, systemClock), contexts);
  const ratio = (usage / meter).toFixed(1);
  console.log(
    `${users} users with ${keys} keys: request meter ${meter.toFixed(0)} ns, usage ${usage.toFixed(0)} ns, × ${ratio}`,
  );
}

function contextOf(nth: number, users: number, keys: number): RpcContext {
  const context: RpcContext = Object.create(RpcContext.prototype);
  const caller: Caller = {
    userId: `auth0|user-${nth % users}`,
    via: 'api-key',
    keyId: `AbCdEfGhIjKl${nth % (users * keys)}`,
    roles: [],
  };
  context.setCaller(caller);
  const message = { kind: 'call', method: methods[nth % methods.length], id: undefined };
  return Object.assign(context, {
    ...{ openedMs: systemClock.monotonic(), refusedFor: undefined, isFromMemory: false, outcomes: undefined },
    ...{ found: target, decoded: { kind: 'single', message } },
  });
}

/** CPU time of a call in the fastest round. */
function minNs(meter: RequestMeter, contexts: readonly RpcContext[]): number {
  let min = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    for (let call = 0; call < calls; call++) {
      const context = contexts[call % atOnce];
      if (context !== undefined) meter(context);
    }
    const { user, system } = process.cpuUsage(before);
    min = Math.min(min, ((user + system) * 1_000) / calls);
  }
  return min;
}

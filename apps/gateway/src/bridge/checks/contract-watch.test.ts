import { expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import { pad } from 'viem';
import type { Network } from '../../upstream/networks/network.ts';
import type { Bridge, BridgeSide } from '../bridges/bridge.ts';
import { ChainAway, type ChainReader } from '../chain/chain-reader.ts';
import { checkAll } from './check-all.ts';
import { createContractWatch } from './contract-watch.ts';

const address = (digit: string): `0x${string}` => `0x${digit.repeat(40)}`;
const side = (networkId: string): BridgeSide => ({
  ...{ dlt: 'ethereum', networkId, chainId: 1 },
  network: { dlt: 'ethereum', networkId } as Network,
});
const [l1, l2] = [side('l1'), side('l2')];
const bridge: Bridge = {
  ...{ bridgeId: 'main', name: 'Main', l1, l2, confirmations: 1, stalledAfterMs: 1, tokens: [] },
  contracts: {
    portal: address('a'),
    l1StandardBridge: address('b'),
    l1CrossDomainMessenger: address('c'),
    disputeGameFactory: address('d'),
  },
  startBlocks: { l1: 0, l2: 0 },
};
const pool = { poolId: 'p', side: l2, address: address('5'), form: 'v2', startBlock: 0 } as const;

/** A chain on which every contract exists and answers each call with one address, which is none of the bridge's. */
const strange: ChainReader = {
  ask: async (questions) => questions.map(({ method }) => (method === 'eth_getCode' ? '0x00' : pad(address('9')))),
};
const away: ChainReader = { ask: () => Promise.reject(new ChainAway('no one answers')) };

function scene(chains: Record<'l1' | 'l2', readonly ChainReader[]>) {
  const logged: string[] = [];
  let checks = 0;
  const stopping = new AbortController();
  const watch = createContractWatch(
    () =>
      checkAll({
        bridges: [bridge],
        pools: [pool],
        chainOf(of) {
          // The first call of each check.
          if (of === l1) checks += 1;
          const its = of === l1 ? chains.l1 : chains.l2;
          return its[Math.min(checks, its.length) - 1] ?? away;
        },
      }),
    { log: { error: (event, fields) => void logged.push(`${event} ${fields?.['place']}`) }, pauseMs: 0 },
  );
  return { watch, logged, stopping, checks: () => checks };
}

test('a fault is logged once, after it is found twice, and is the trouble of its stream', async () => {
  const { watch, logged, stopping, checks } = scene({ l1: [strange], l2: [strange] });
  expect(watch.troubleOf('main/l1')).toBeUndefined();
  await watch.run(stopping.signal);
  expect(checks()).toBe(2);
  expect(logged).toContain('bridge.misconfigured bridge main.contracts.portal');
  expect(new Set(logged).size).toBe(logged.length);
  expect(watch.troubleOf('main/l1')).toMatch(/^misconfigured: bridge main\.contracts\.\w+ /);
  expect(watch.troubleOf('main/l2')).toMatch(/^misconfigured: bridge main\.l2 is not the rollup of this bridge/);
  expect(watch.troubleOf('other/l1')).toBeUndefined();
});

test('an unavailable chain is asked again until it answers; the findings of the other chain are not delayed', async () => {
  const { watch, logged, stopping, checks } = scene({ l1: [strange], l2: [away, away, away, strange, strange] });
  await watch.run(stopping.signal);
  expect(checks()).toBe(5);
  const firstOfL2 = logged.findIndex((line) => line.endsWith('main.l2'));
  expect(firstOfL2).toBeGreaterThan(0);
  const alone = scene({ l1: [away], l2: [away] });
  alone.stopping.abort();
  await alone.watch.run(alone.stopping.signal);
  expect([alone.checks(), alone.logged]).toEqual([0, []]);
});

test('one wrong answer reports no fault', async () => {
  const silent: ChainReader = { ask: async (questions) => questions.map(() => undefined) };
  const { watch, logged, stopping, checks } = scene({ l1: [away, silent, away, away], l2: [away] });
  const running = watch.run(stopping.signal);
  await until(() => checks() > 5);
  stopping.abort();
  await running;
  expect(logged).toEqual([]);
});

/** The scenarios: the requests of each, and the required answer. */
import { slowMethod } from '@flowgate/devkit/load/fixed-upstream';
import type { LoadExpectation, LoadRequests } from '@flowgate/devkit/load/load-job';
import type { Population } from './population.ts';

export type Scenario = {
  readonly name:
    | 'proxied-header'
    | 'proxied-path'
    | 'unknown-key'
    | 'blocked'
    | 'limited'
    | 'cold-key'
    | 'batch-100'
    | 'cached'
    | 'coalesced';
  readonly title: string;
  readonly endpoint: 'main' | 'limited';
  /**
   * `once`: every request is sent a single time, and the measurement ends with the last; otherwise requests are
   * repeated for the duration of the round.
   */
  readonly once: boolean;
  /** `turn` counts the scenario's measurements in the whole run, so that keys for single use differ each time. */
  readonly requests: (population: Population, turn: number) => Omit<LoadRequests, 'port'>;
  readonly expectation: LoadExpectation;
  /** Other contestants have no such feature. */
  readonly isFlowgates?: true;
};

/** The number of keys in one measurement of the cold scenario. */
export const coldKeysPerTurn = 2000;

/** Always different, so that each call reaches the node. */
const call = { method: 'eth_getBalance', params: ['0x000000000000000000000000{fresh}', 'latest'], batchSize: 1 };
const address = `0x${'1'.repeat(40)}`;
const inHeader = { path: '/rpc', keyHeader: 'X-API-Key' };
const answered: LoadExpectation = { status: 200, body: 'result' };
const keysOf = (owned: readonly { readonly key: string }[]): readonly string[] => owned.map(({ key }) => key);

export const scenarios: readonly Scenario[] = [
  {
    name: 'proxied-header',
    title: 'proxied call, key in header',
    endpoint: 'main',
    once: false,
    requests: ({ hot }) => ({ ...call, ...inHeader, keys: keysOf(hot) }),
    expectation: answered,
  },
  {
    name: 'proxied-path',
    title: 'proxied call, key in path',
    endpoint: 'main',
    once: false,
    requests: ({ hot }) => ({ ...call, path: '/rpc/{key}', keys: keysOf(hot) }),
    expectation: answered,
  },
  {
    name: 'cached',
    title: 'answered from memory',
    endpoint: 'main',
    once: false,
    requests: ({ hot }) => ({ ...call, ...inHeader, params: [address, '0x1'], keys: keysOf(hot) }),
    expectation: answered,
    isFlowgates: true,
  },
  {
    name: 'coalesced',
    title: 'shared with an equal call',
    endpoint: 'main',
    once: false,
    requests: ({ hot }) => ({
      ...call,
      ...inHeader,
      method: slowMethod,
      params: [{ to: address }, 'pending'],
      keys: keysOf(hot),
    }),
    expectation: answered,
    isFlowgates: true,
  },
  {
    name: 'unknown-key',
    title: 'refused: unknown key',
    endpoint: 'main',
    once: false,
    requests: ({ unknown }) => ({ ...call, ...inHeader, keys: unknown }),
    expectation: { status: 403, body: 'rpc-error' },
  },
  {
    name: 'blocked',
    title: 'refused: blocked method',
    endpoint: 'main',
    once: false,
    requests: ({ hot }) => ({ ...call, ...inHeader, method: 'admin_peers', keys: keysOf(hot) }),
    expectation: { status: 403, body: 'rpc-error' },
  },
  {
    name: 'limited',
    title: 'refused: over the limit',
    endpoint: 'limited',
    once: false,
    requests: ({ spent }) => ({ ...call, ...inHeader, keys: keysOf(spent) }),
    expectation: { status: 429, body: 'standard-error', toleratedStatus: 200 },
  },
  {
    name: 'cold-key',
    title: 'proxied call, key not cached',
    endpoint: 'main',
    once: true,
    requests: ({ cold }, turn) => ({
      ...call,
      ...inHeader,
      keys: keysOf(cold.slice(turn * coldKeysPerTurn, (turn + 1) * coldKeysPerTurn)),
    }),
    expectation: answered,
  },
  {
    name: 'batch-100',
    title: 'batch of 100',
    endpoint: 'main',
    once: false,
    requests: ({ hot }) => ({ ...call, ...inHeader, batchSize: 100, keys: keysOf(hot.slice(0, 128)) }),
    expectation: answered,
  },
];

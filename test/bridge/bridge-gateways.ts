/** Gateways on one database, in front of a simulated bridge: the leader among them indexes. */

import { Database } from 'bun:sqlite';
import { ownPostgres } from '@flowgate/testing/postgres';
import { jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { retryUnavailable } from '../../apps/gateway/test/fixtures/retry-unavailable.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import type { SimBridge, SimSide } from '../../apps/gateway/test/fixtures/sim-bridge.ts';
import type { SimBridgeNode } from '../../apps/gateway/test/fixtures/sim-bridge-node.ts';
import type { Signer } from '../../apps/gateway/test/fixtures/wallet-chain.ts';
import { people } from './bridge-people.ts';
import type { Asks } from './seen.ts';

type Row = Readonly<Record<string, unknown>>;
export type Engine = 'sqlite' | 'postgres';

/** The chains behind the gateways: two chains with a bridge, real or simulated. */
export type BridgeRuntime = {
  readonly chainIds: Readonly<Record<SimSide, number>>;
  /** The URLs of the nodes of each chain. */
  readonly urls: Readonly<Record<SimSide, readonly string[]>>;
  readonly contracts: Readonly<
    Record<'portal' | 'l1StandardBridge' | 'l1CrossDomainMessenger' | 'disputeGameFactory', string>
  >;
  /** The pool on L2. */
  readonly pools: readonly { readonly poolId: string; readonly form: 'v2' | 'v3'; readonly address: string }[];
  /** The accounts whose wallets the user links. */
  readonly people: readonly Signer[];
};

export type BridgeGateways = {
  readonly gateways: readonly RunningGateway[];
  /** A request to a gateway by the user who has linked all wallets. */
  readonly asks: (nth?: number) => Asks;
  /** A statement in the database that the gateways share. */
  readonly query: (text: string) => Promise<readonly Row[]>;
  /** Makes the database unavailable for this long: PostgreSQL is killed and restarted, SQLite's file is locked. */
  readonly databaseAway: (ms: number) => Promise<void>;
  /** Ends the leases of a killed leader at once, so that a crash does not take the whole lease time. */
  readonly expireLeases: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export type BridgeGatewaysOptions = {
  readonly engine?: Engine;
  readonly count?: number;
  readonly maxBlockRange?: number;
  readonly pollSeconds?: number;
  readonly command?: readonly string[];
  /** Members of the bridge's configuration. */
  readonly settings?: Readonly<Record<string, unknown>>;
};

export const confirmations = 5;
export const bridgeUser = 'bridge-user';

/** The chains of a simulated bridge. */
export function runtimeOf(
  bridge: SimBridge,
  nodes: Readonly<Record<SimSide, readonly SimBridgeNode[]>>,
): BridgeRuntime {
  const urlsOf = (side: SimSide) => nodes[side].map(({ httpUrl }) => httpUrl);
  return {
    chainIds: { l1: bridge.l1.chainId, l2: bridge.l2.chainId },
    urls: { l1: urlsOf('l1'), l2: urlsOf('l2') },
    ...{ contracts: bridge.contracts, pools: bridge.pools, people },
  };
}

export async function startBridgeGateways(
  around: BridgeRuntime,
  options: BridgeGatewaysOptions = {},
): Promise<BridgeGateways> {
  const { engine = 'sqlite', count = 2, command } = options;
  const given = engine === 'postgres' ? await (await ownPostgres()).freshDatabase() : undefined;
  const config = configOf(around, options);
  const started = { ...(command !== undefined && { command }) };
  const storage = given === undefined ? {} : { storage: { database: given } };
  const first = await startGateway({ ...started, config: { ...config, ...storage } });
  const { issuer, audience } = first.issuer;
  const database = given ?? `sqlite:${first.databaseFile}`;
  const gateways = [first];
  const others = { ...config, storage: { database }, identity: { issuer, audience } };
  while (gateways.length < count) gateways.push(await startGateway({ ...started, config: others }));
  await linkEverybody(first, around.people);
  const query = async (text: string): Promise<readonly Row[]> => {
    if (given !== undefined) return (await ownPostgres()).admin(text, new URL(given).pathname.slice(1));
    const file = new Database(first.databaseFile);
    try {
      file.run('PRAGMA busy_timeout = 10000');
      return file.query<Row, []>(text).all();
    } finally {
      file.close();
    }
  };
  return {
    gateways,
    asks:
      (nth = 0): Asks =>
      (path) => {
        const gateway = gateways[nth % gateways.length] ?? first;
        return gateway.fetch(path, { headers: { Authorization: `Bearer ${first.token(bridgeUser)}` } });
      },
    query,
    async databaseAway(ms) {
      if (given !== undefined) {
        const postgres = await ownPostgres();
        await postgres.kill();
        // Real time: the database is unavailable meanwhile.
        await Bun.sleep(ms);
        await postgres.start();
        return;
      }
      const file = new Database(first.databaseFile);
      try {
        file.run('PRAGMA busy_timeout = 10000');
        file.run('BEGIN EXCLUSIVE');
        // Real time: the database is unavailable meanwhile.
        await Bun.sleep(ms);
        file.run('ROLLBACK');
      } finally {
        file.close();
      }
    },
    expireLeases: async () =>
      void (await query("UPDATE leases SET expires_at = 0 WHERE name LIKE 'bridge %' OR name LIKE 'swaps %'")),
    stop: async () => void (await Promise.all([...gateways].reverse().map((gateway) => gateway.stop()))),
  };
}

function configOf({ chainIds, urls, contracts, pools }: BridgeRuntime, options: BridgeGatewaysOptions) {
  const { maxBlockRange = 16, pollSeconds = 0.1, settings } = options;
  return {
    limits: { userPerMinute: 1_000_000 },
    networks: (['l1', 'l2'] as const).map((side) => ({
      ...{ dlt: 'ethereum', networkId: side, name: side, chainId: chainIds[side], default: side === 'l1' },
      nodes: urls[side].map((url, nth) => ({ nodeId: `${side}-${nth}`, url })),
    })),
    bridges: [
      {
        bridgeId: 'main',
        ...{ l1: { dlt: 'ethereum', networkId: 'l1' }, l2: { dlt: 'ethereum', networkId: 'l2' } },
        ...{ contracts, confirmations, ...settings },
      },
    ],
    swaps: pools.map((pool) => ({ dlt: 'ethereum', networkId: 'l2', ...pool })),
    indexer: { maxBlockRange, pollSeconds },
    log: { level: 'info', requests: 'none' },
  };
}

async function linkEverybody(gateway: RunningGateway, signers: readonly Signer[]): Promise<void> {
  const send = async (path: string, body: unknown) => {
    const response = await retryUnavailable(() =>
      gateway.fetch(path, {
        method: 'POST',
        headers: { Authorization: `Bearer ${gateway.token(bridgeUser)}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );
    if (response.status >= 300) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return jsonBody(response);
  };
  for (const { address, signMessage } of signers) {
    const { message } = await send('/users/me/wallets/challenge', { address });
    const signature = await signMessage({ message: String(message) });
    await send('/users/me/wallets', { message, signature });
  }
}

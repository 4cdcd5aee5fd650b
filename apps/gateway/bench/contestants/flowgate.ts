/** Flowgate itself: one gateway creates the run's keys and ends; new gateways on the same database are measured. */
import { copyFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import {
  type BenchNode,
  type Contestant,
  type Endpoint,
  type Entry,
  generousPerMinute,
  type policyCounts,
} from '../contestant.ts';
import { startBenchIssuer } from '../issuer.ts';
import { fillWithPolicies } from '../policies.ts';
import type { Mint, OwnedKey } from '../population.ts';
import { accepts, freePort, type Started, type Workshop } from '../workshop.ts';

const program = fileURLToPath(new URL('../../../cli/src/main.ts', import.meta.url));
const audience = 'flowgate';

export type FlowgateSetup = {
  readonly workshop: Workshop;
  readonly node: Pick<BenchNode, 'main' | 'socketPort'>;
  /** Arguments for the measured gateway's Bun, such as --cpu-prof. */
  readonly bunArguments: readonly string[];
};

export type FlowgateKit = {
  readonly mint: Mint;
  /** Ends the gateway that created the keys and starts the measured one, which has no key cached. */
  readonly start: () => Promise<Contestant>;
  /** After `start`: starts another gateway, with a node that is declared to pipeline. */
  readonly startPipelined: () => Promise<Entry>;
  /** After `start`: starts another gateway, which calls the node over WebSocket. */
  readonly startOverWebSocket: () => Promise<Entry>;
  /** After `start`: starts another gateway, with limits in its own Redis. */
  readonly startWithRedis: () => Promise<Entry>;
  /** After `start`: starts another gateway, with this number of global policies in its own database. */
  readonly startWithPolicies: (policies: (typeof policyCounts)[number]) => Promise<Entry>;
};

export async function prepareFlowgate(setup: FlowgateSetup): Promise<FlowgateKit> {
  const { workshop } = setup;
  const issuer = await startBenchIssuer(audience);
  workshop.atEnd(issuer.stop);
  const pepper = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex');
  const launch = (name: string, perMinute: number, more: Partial<Launch> = {}) =>
    launchGateway({ ...setup, bunArguments: [], name, perMinute, pepper, issuer: issuer.url, ...more });
  const minter = await launch('flowgate-minter', generousPerMinute);
  return {
    mint: async (userId, keys) => {
      const token = await issuer.tokenFor(userId);
      const minted: OwnedKey[] = [];
      while (minted.length < keys) minted.push({ key: await mintOne(minter.port, token), userId });
      return minted;
    },
    start: async () => {
      await minter.stop();
      // No process has the file open, so it is complete.
      copyFileSync(`${workshop.directory}/flowgate.db`, `${workshop.directory}/minted.db`);
      const main = await launch('flowgate', generousPerMinute, { bunArguments: setup.bunArguments });
      const limited = await launch('flowgate-limited', 1);
      return {
        name: 'flowgate',
        main,
        limited,
        does: () => true,
        expects: ({ expectation }) => expectation,
      };
    },
    startPipelined: async () => ({
      name: 'flowgate-pipelined',
      main: await launch('flowgate-pipelined', generousPerMinute, { pipelining: true }),
      // Its work apart from the node is that of the first gateway.
      does: ({ name }) => name.startsWith('proxied-') || name === 'cold-key',
      expects: ({ expectation }) => expectation,
    }),
    startOverWebSocket: async () => ({
      name: 'flowgate-websocket',
      main: await launch('flowgate-websocket', generousPerMinute, { overWebSocket: true }),
      does: ({ name }) => name.startsWith('proxied-') || name === 'cold-key' || name === 'batch-100',
      expects: ({ expectation }) => expectation,
    }),
    startWithRedis: async () => {
      const program = Bun.which('redis-server');
      if (program === null) return { name: 'flowgate-redis', absent: 'redis-server is not installed' };
      const port = await freePort();
      const command = [program, '--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
      await workshop.start('redis', command, () => accepts(port));
      const redis = `redis://127.0.0.1:${port}`;
      return {
        name: 'flowgate-redis',
        main: await launch('flowgate-redis', generousPerMinute, { redis }),
        limited: await launch('flowgate-redis-limited', 1, { redis, redisNamespace: 'limited' }),
        does: () => true,
        expects: ({ expectation }) => expectation,
      };
    },
    startWithPolicies: async (policies) => {
      const name = `flowgate-policies-${policies}` as const;
      const file = `${workshop.directory}/${name}.db`;
      copyFileSync(`${workshop.directory}/minted.db`, file);
      fillWithPolicies(file, policies);
      return {
        name,
        main: await launch(name, generousPerMinute, { databaseFile: file }),
        // A call that is refused or resolved before the policies costs the same without them.
        does: ({ name: scenario }) => scenario === 'proxied-header' || scenario === 'batch-100',
        expects: ({ expectation }) => expectation,
      };
    },
  };
}

/** More connections than any bench opens. */
const maxConnections = 20_000;

type Launch = FlowgateSetup & {
  readonly name: string;
  readonly perMinute: number;
  readonly pepper: string;
  readonly issuer: string;
  /** The Redis that shares the limits; without it the gateway counts in memory. */
  readonly redis?: string;
  readonly redisNamespace?: string;
  readonly pipelining?: boolean;
  readonly overWebSocket?: boolean;
  /** By default the database in which the keys were created. */
  readonly databaseFile?: string;
};

async function launchGateway(launch: Launch): Promise<Endpoint & Started> {
  const { workshop, name } = launch;
  const port = await freePort();
  const config = workshop.write(`${name}.yaml`, stringify(gatewayConfig(launch, port)));
  const ready = async (): Promise<boolean> => (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200;
  const command = [process.execPath, ...launch.bunArguments, program, 'start', '--config', config];
  return { ...(await workshop.start(name, command, ready)), port };
}

function gatewayConfig(launch: Launch, port: number): object {
  const { workshop, node, perMinute, pepper, issuer, redis, redisNamespace, pipelining = false } = launch;
  const { databaseFile = `${workshop.directory}/flowgate.db` } = launch;
  const url =
    launch.overWebSocket === true ? `ws://127.0.0.1:${node.socketPort}` : `http://127.0.0.1:${node.main.port}`;
  return {
    server: {
      ...{ host: '127.0.0.1', port, publicUrl: `http://127.0.0.1:${port}` },
      ...{ maxConnections: maxConnections, maxConnectionsPerAddress: maxConnections },
    },
    identity: { issuer, audience },
    storage: { database: `sqlite:${databaseFile}`, redis, redisNamespace },
    keys: { peppers: [pepper] },
    limits: { userPerMinute: perMinute, invalidPerMinute: 100_000_000 },
    networks: [
      {
        dlt: 'ethereum',
        networkId: 'bench',
        name: 'Fixed answers',
        chainId: 31337,
        default: true,
        nodes: [{ nodeId: 'fixed-1', url, pipelining }],
      },
    ],
  };
}

/** A busy disk can make the database unavailable for a moment. Creating keys is not measured, so it is repeated. */
const mintAttempts = 20;

async function mintOne(port: number, token: string): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/users/me/api-keys`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: '{"label":"bench"}',
    });
    const body: unknown = await answer.json();
    if (typeof body === 'object' && body !== null && 'apiKey' in body && typeof body.apiKey === 'string')
      return body.apiKey;
    if (answer.status < 500 || attempt === mintAttempts)
      throw new Error(`minting answered ${answer.status}: ${JSON.stringify(body)}`);
    await Bun.sleep(100);
  }
}

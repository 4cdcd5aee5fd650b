/**
 * Callers with a WebSocket and a `newHeads` subscription each: the gateway's memory per connection, and the time until
 * one head has reached the last of them. Alone: `bun apps/gateway/bench/subscribers.ts [connections] [heads]`.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { cpuSeconds, residentBytes } from '@flowgate/devkit/load/process-usage';
import { freePort } from '@flowgate/testing/free-port';
import { frame, opcodes, upgradeRequest } from '@flowgate/testing/raw-web-socket';
import { type RunningGateway, startGateway } from '../test/fixtures/running-gateway.ts';
import { createSimChain, type SimChain } from '../test/fixtures/sim-chain.ts';
import { startSimNode } from '../test/fixtures/sim-node.ts';
import type { Progress } from './measure.ts';

export const subscribersName = 'subscribers';

export type SubscribersRow = {
  readonly what: string;
  /** Resident memory of the gateway, or undefined in the rows of single heads. */
  readonly bytes?: number | undefined;
  /** Milliseconds from the block until the last subscriber had its head. */
  readonly lastMs?: number;
  /** CPU time of the gateway in that time. */
  readonly cpuMs?: number;
};

/** Connections of one user. */
const perUser = 20;
const atOnce = 100;
/** Time for the runtime to release unused memory. */
const settlingMs = 2_000;
const betweenHeadsMs = 300;
const maxMs = 20_000;
const reported = Buffer.from('"eth_subscription"');
const subscribe = frame(opcodes.text, '{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}');

export async function measureSubscribers(
  connections: number,
  heads: number,
  progress: Progress,
): Promise<readonly SubscribersRow[]> {
  const chain = createSimChain({ seed: 1, logs: 0 });
  chain.mine(20);
  const node = startSimNode(chain);
  const metricsPort = freePort();
  const gateway = await start(chain, node.socketUrl, connections, metricsPort);
  try {
    return await measure(gateway, metricsPort, chain, connections, heads, progress);
  } finally {
    await gateway.stop();
    node.stop();
  }
}

function start(chain: SimChain, url: string, connections: number, metricsPort: number): Promise<RunningGateway> {
  const max = connections + 1_000;
  const network = {
    dlt: 'ethereum',
    networkId: 'dev',
    name: 'A simulated chain',
    chainId: chain.chainId,
    default: true,
  };
  return startGateway({
    config: {
      server: { maxConnections: max, maxConnectionsPerAddress: max, metrics: { port: metricsPort } },
      limits: { userPerMinute: 1_000_000, webSocketsPerUser: perUser },
      log: { level: 'info', requests: 'none' },
      networks: [{ ...network, nodes: [{ nodeId: 'sim-1', url }] }],
    },
  });
}

async function measure(
  gateway: RunningGateway,
  metricsPort: number,
  chain: SimChain,
  connections: number,
  heads: number,
  progress: Progress,
): Promise<readonly SubscribersRow[]> {
  const { pid } = gateway.process;
  const rows: SubscribersRow[] = [];
  const note = async (what: string) => {
    await pause(settlingMs);
    rows.push({ what, bytes: residentBytes(pid) });
  };
  progress(`${connections} subscribers: minting keys`);
  const keys: string[] = [];
  while (keys.length * perUser < connections) keys.push((await gateway.mint(`user-${keys.length}`)).apiKey);
  await note('no WebSocket');
  progress(`${connections} subscribers: connecting`);
  const crowd = new Crowd(gateway.port);
  for (let at = 0; at < connections; at += atOnce) {
    const more = Array.from(
      { length: Math.min(atOnce, connections - at) },
      (_, nth) => keys[Math.floor((at + nth) / perUser)],
    );
    await Promise.all(more.map((key) => crowd.open(`/rpc/${key}`)));
  }
  await note(`${connections} idle`);
  await crowd.subscribe();
  await note(`${connections} subscribers`);
  const before = await loopDelays(metricsPort);
  for (let nth = 1; nth <= heads; nth++) {
    crowd.arrived = 0;
    const cpu = cpuSeconds(pid) ?? Number.NaN;
    const beganNs = Bun.nanoseconds();
    chain.mine();
    while (crowd.arrived < connections && Bun.nanoseconds() - beganNs < maxMs * 1e6) await pause(2);
    const cpuMs = ((cpuSeconds(pid) ?? Number.NaN) - cpu) * 1_000;
    const lastMs = crowd.arrived < connections ? Number.POSITIVE_INFINITY : (crowd.lastNs - beganNs) / 1e6;
    rows.push({ what: `head ${nth}`, lastMs, cpuMs });
    await pause(betweenHeadsMs);
  }
  const after = await loopDelays(metricsPort);
  const latest = [...after].find(
    ([le, count]) => count - (before.get(le) ?? 0) === (after.get('+Inf') ?? 0) - (before.get('+Inf') ?? 0),
  );
  progress(`meanwhile no sample of the event loop was later than ${latest?.[0]} s`);
  crowd.close();
  await note('all closed');
  return rows;
}

/** How often the gateway's event loop was at most this late, by its own timer that samples ten times a second. */
async function loopDelays(metricsPort: number): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const buckets = text.matchAll(/^flowgate_event_loop_delay_seconds_bucket\{le="([^"]+)"\} (\d+)$/gm);
  return new Map([...buckets].map(([, le = '', count]) => [le, Number(count)]));
}

/** The callers. They count messages without parsing them. */
class Crowd {
  arrived = 0;
  lastNs = 0;
  readonly #sockets: Bun.Socket<undefined>[] = [];
  #answered = 0;

  constructor(private readonly port: number) {}

  /** Resolves when the handshake was answered. */
  open(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      let isOpen = false;
      Bun.connect({
        hostname: '127.0.0.1',
        port: this.port,
        socket: {
          open: (socket) => void socket.write(upgradeRequest(path)),
          data: (socket, bytes) => {
            if (isOpen) this.#received(bytes);
            else if (bytes.includes('HTTP/1.1 101')) {
              isOpen = true;
              this.#sockets.push(socket);
              resolve();
            } else reject(new Error(bytes.toString('latin1', 0, 200)));
          },
          error: (_socket, error) => reject(error),
        },
      }).catch(reject);
    });
  }

  async subscribe(): Promise<void> {
    for (let at = 0; at < this.#sockets.length; at += atOnce) {
      for (const socket of this.#sockets.slice(at, at + atOnce)) socket.write(subscribe);
      await pause(5);
    }
    while (this.#answered < this.#sockets.length) await pause(20);
  }

  close(): void {
    for (const socket of this.#sockets) socket.terminate();
  }

  #received(bytes: Uint8Array): void {
    if (!Buffer.from(bytes).includes(reported)) {
      this.#answered += 1;
      return;
    }
    this.arrived += 1;
    this.lastNs = Bun.nanoseconds();
  }
}

if (import.meta.main) {
  const [connections, heads] = [Number(process.argv[2] ?? 10_000), Number(process.argv[3] ?? 5)];
  for (const { what, bytes, lastMs, cpuMs } of await measureSubscribers(connections, heads, console.log))
    console.log(
      bytes === undefined
        ? `${what}: the last has it after ${lastMs?.toFixed(0)} ms, CPU of the gateway ${cpuMs?.toFixed(0)} ms`
        : `${what}: ${(bytes / 2 ** 20).toFixed(0)} MiB resident`,
    );
}

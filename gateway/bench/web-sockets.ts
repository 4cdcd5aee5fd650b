/**
 * Measures the gateway's memory for each WebSocket connection, idle and with a `newHeads` subscription, and the time until one head has reached all of them:
 * `bun gateway/bench/web-sockets.ts [connections] [heads]`.
 */
import { cpuSeconds, residentBytes } from '@flowgate/devkit/load/process-usage';
import { freePort } from '../test/fixtures/free-port.ts';
import { frame, opcodes, upgradeRequest } from '../test/fixtures/raw-web-socket.ts';
import { startGateway } from '../test/fixtures/running-gateway.ts';
import { createSimChain } from '../test/fixtures/sim-chain.ts';
import { startSimNode } from '../test/fixtures/sim-node.ts';

const connections = Number(process.argv[2] ?? 10_000);
const heads = Number(process.argv[3] ?? 5);
/** Of one user. */
const perUser = 20;
const atOnce = 100;
/** For the runtime to return what it no longer needs. */
const settlingMs = 2_000;

const metricsPort = freePort();
const chain = createSimChain({ seed: 1, logs: 0 });
chain.mine(20);
const node = startSimNode(chain);
const gateway = await startGateway({
  config: {
    server: {
      maxConnections: connections + 1_000,
      maxConnectionsPerAddress: connections + 1_000,
      metrics: { port: metricsPort },
    },
    limits: { userPerMinute: 1_000_000, webSocketsPerUser: perUser },
    log: { level: 'info', requests: 'none' },
    networks: [
      {
        dlt: 'ethereum',
        networkId: 'dev',
        name: 'A simulated chain',
        chainId: chain.chainId,
        default: true,
        nodes: [{ nodeId: 'sim-1', url: node.socketUrl }],
      },
    ],
  },
});

const { pid } = gateway.process;
/** In MiB. */
const resident = () => (residentBytes(pid) ?? Number.NaN) / 2 ** 20;

type Client = { readonly socket: Bun.Socket<undefined>; received: number };

let arrived = 0;
let lastNs = 0;
let isOver = false;
const told = Buffer.from('"eth_subscription"');

/** Resolves when the upgrade was answered. */
function open(path: string): Promise<Client> {
  return new Promise((resolve, reject) => {
    let client: Client | undefined;
    Bun.connect({
      hostname: '127.0.0.1',
      port: gateway.port,
      socket: {
        open: (socket) => void socket.write(upgradeRequest(path)),
        data(socket, bytes) {
          if (client === undefined) {
            if (!bytes.includes('HTTP/1.1 101')) throw new Error(bytes.toString().slice(0, 200));
            client = { socket, received: 0 };
            resolve(client);
            return;
          }
          client.received += 1;
          if (!bytes.includes(told)) return;
          arrived += 1;
          lastNs = Bun.nanoseconds();
        },
        close: () => {
          if (!isOver) console.log('a connection was closed');
        },
        error: (_socket, error) => reject(error),
      },
    }).catch(reject);
  });
}

const keys: string[] = [];
for (let user = 0; user < Math.ceil(connections / perUser); user++)
  keys.push((await gateway.mint(`user-${user}`)).apiKey);
await Bun.sleep(settlingMs);
const before = resident();
console.log(`${keys.length} users: ${before.toFixed(0)} MiB resident`);

const clients: Client[] = [];
while (clients.length < connections) {
  const paths = Array.from({ length: Math.min(atOnce, connections - clients.length) }, (_, at) => {
    const key = keys[Math.floor((clients.length + at) / perUser)];
    return `/rpc/${key}`;
  });
  clients.push(...(await Promise.all(paths.map(open))));
}
await Bun.sleep(settlingMs);
const each = (mib: number) => (((mib - before) * 1024) / connections).toFixed(1);
const idle = resident();
console.log(`${connections} connections, idle: ${idle.toFixed(0)} MiB resident, ${each(idle)} KiB for each`);

const subscribe = frame(opcodes.text, '{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}');
for (let at = 0; at < clients.length; at += atOnce) {
  for (const { socket } of clients.slice(at, at + atOnce)) socket.write(subscribe);
  await Bun.sleep(5);
}
while (clients.some(({ received }) => received === 0)) await Bun.sleep(50);
await Bun.sleep(settlingMs);
const subscribed = resident();
console.log(`each with newHeads: ${subscribed.toFixed(0)} MiB resident, ${each(subscribed)} KiB for each`);

/** How often the gateway's event loop was at most so late, by its own timer that samples ten times a second. */
async function loopDelays(): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return new Map(
    [...text.matchAll(/^flowgate_event_loop_delay_seconds_bucket\{le="([^"]+)"\} (\d+)$/gm)].map(
      ([, le = '', count]) => [le, Number(count)],
    ),
  );
}

const delaysBefore = await loopDelays();
for (let round = 1; round <= heads; round++) {
  arrived = 0;
  const cpu = cpuSeconds(pid) ?? Number.NaN;
  const beganNs = Bun.nanoseconds();
  chain.mine();
  while (arrived < connections && Bun.nanoseconds() - beganNs < 20e9) await Bun.sleep(2);
  const lateness = arrived < connections ? `, ${arrived} only` : '';
  console.log(
    `head ${round}: the last of ${connections} has it after ${((lastNs - beganNs) / 1e6).toFixed(0)} ms${lateness}; CPU of the gateway ${(((cpuSeconds(pid) ?? Number.NaN) - cpu) * 1_000).toFixed(0)} ms`,
  );
  await Bun.sleep(300);
}
const delays = [...(await loopDelays())].map(([le, count]) => `${le} s: ${count - (delaysBefore.get(le) ?? 0)}`);
console.log(`samples of the event loop that were late by at most ${delays.join(', ')}`);
isOver = true;
for (const { socket } of clients) socket.terminate();
await Bun.sleep(settlingMs);
console.log(`all closed: ${resident().toFixed(0)} MiB resident`);
node.stop();
await gateway.stop();
process.exit(0);

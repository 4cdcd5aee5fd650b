/** Measures the gateway's memory for each Server-Sent Events client, and the time until all of them have received an event: `bun apps/gateway/bench/flow-streams.ts [clients] [rounds]`. */
import { readFileSync } from 'node:fs';
import { publishFlowApp, reachesLoopback, startFlowApp } from '../test/fixtures/flow-app.ts';
import { flowClient } from '../test/fixtures/flow-client.ts';
import { startGateway } from '../test/fixtures/running-gateway.ts';

const clients = Number(process.argv[2] ?? 2_000);
/** The maximum number of streams of one user. */
const perUser = 20;
const rounds = Number(process.argv[3] ?? 3);

const app = startFlowApp();
const gateway = await startGateway({
  config: {
    ...reachesLoopback,
    limits: { userPerMinute: 1_000_000, sessionPerMinute: 1_000_000 },
    log: { level: 'info', requests: 'none' },
  },
});
await publishFlowApp(gateway, app);

function resident(): number {
  const status = readFileSync(`/proc/${gateway.process.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/** Resolves when the counted number reaches the goal. */
let events = 0;
let isDone = false;
let goal = 0;
let reached: () => void = () => {};
function until(count: number): Promise<void> {
  goal = count;
  return events >= goal ? Promise.resolve() : new Promise((resolve) => (reached = resolve));
}

async function openStream(sessionId: string, authorization: string): Promise<void> {
  await Bun.connect({
    hostname: '127.0.0.1',
    port: gateway.port,
    socket: {
      open(socket) {
        socket.write(
          `GET /flow/sessions/${sessionId}/events HTTP/1.1\r\nHost: gateway\r\nAccept: text/event-stream\r\nAuthorization: ${authorization}\r\n\r\n`,
        );
      },
      data(_socket, bytes) {
        events += bytes.toString('latin1').split('\nevent: ').length - 1;
        if (events >= goal) reached();
      },
      close: () => {
        if (!isDone) console.log('a stream ended');
      },
    },
  });
}

const driven = [];
for (let user = 0; user * perUser < clients; user++) {
  const client = flowClient(gateway, `user-${user}`);
  for (let at = 0; at < perUser; at++) driven.push({ client, session: await client.start() });
}
console.log(`${driven.length} sessions started: ${resident().toFixed(0)} MiB resident`);
// A second pass over all sessions, so that further growth comes from the streams alone.
for (const each of driven) each.session = await each.client.add(each.session);
const before = resident();
console.log(`one step in each: ${before.toFixed(0)} MiB resident`);

// Each session has two to four past events: that of its creation, and two of the step.
const past = 3;
for (const { client, session } of driven) await openStream(session.sessionId, client.headers['Authorization'] ?? '');
await until(driven.length * past);
await Bun.sleep(500);
const withOpenStreams = resident();
console.log(
  `${driven.length} streams open: ${withOpenStreams.toFixed(0)} MiB resident, ${(((withOpenStreams - before) * 1024) / driven.length).toFixed(1)} KiB for each`,
);

for (let round = 1; round <= rounds; round++) {
  const [startedNs, seen] = [Bun.nanoseconds(), events];
  for (let at = 0; at < driven.length; at += 16)
    await Promise.all(
      driven.slice(at, at + 16).map(async (each) => {
        each.session = await each.client.add(each.session);
      }),
    );
  const submittedNs = Bun.nanoseconds();
  await until(seen + driven.length * 2);
  const [steps, lag] = [(submittedNs - startedNs) / 1e6, (Bun.nanoseconds() - submittedNs) / 1e6];
  console.log(
    `round ${round}: ${driven.length} steps in ${steps.toFixed(0)} ms, every event with its client ${lag.toFixed(0)} ms after the last answer, ${resident().toFixed(0)} MiB resident`,
  );
}
isDone = true;
await gateway.stop();
await app.stop();
process.exit(0);

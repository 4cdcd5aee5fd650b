/**
 * Calls a gateway in every way that callers do, for any time, and reports whether memory, descriptors and timers stay
 * flat: `bun apps/gateway/bench/soak.ts [--minutes 60] [--visitors 64] [--idle 10000] [--busy 1000]`. Exits with 1 when
 * an answer was wrong or a figure grew.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Figures, startVisitedGateway } from './soak/visited-gateway.ts';
import { VisitorSocket } from './soak/visitor-socket.ts';
import { oneCallAfterAnother, type Visited, visits } from './soak/visits.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    visitors: { type: 'string', default: '64' },
    idle: { type: 'string', default: '10000' },
    busy: { type: 'string', default: '1000' },
  },
});
const [minutes, visitors, idle, busy] = [
  Number(values.minutes),
  Number(values.visitors),
  Number(values.idle),
  Number(values.busy),
];
/** Milliseconds for the gateway to notice that callers have disconnected. */
const settlingMs = 8_000;
const lapMs = Math.min(1, minutes) * 60_000;

const gateway = await startVisitedGateway();
let answered = 0;
const failures: string[] = [];
const visited: Visited = {
  port: gateway.port,
  apiKey: gateway.apiKey,
  choose: (below) => Math.floor(Math.random() * below),
  answered: () => {
    answered += 1;
  },
};

const columns = ['residentMiB', 'heapMiB', 'sockets', 'otherDescriptors', 'timers', 'promises', 'abortControllers'];
console.log(['lap', 'answers', 'failures', ...columns].join('\t'));
function show(name: string, figures: Figures): Figures {
  const shown = columns.map((each) => (figures[each] ?? 0).toFixed(each.endsWith('MiB') ? 1 : 0));
  console.log([name, answered, failures.length, ...shown].join('\t'));
  return figures;
}

async function visitUntil(endMs: number): Promise<void> {
  while (performance.now() < endMs) {
    const [name, visit] = visits[visited.choose(visits.length)] ?? [];
    await visit?.(visited).catch((error: unknown) => failures.push(`${name}: ${String(error)}`));
  }
}

show('start', await gateway.measure());
const laps: Figures[] = [];
for (let lap = 1; lap <= Math.ceil(minutes); lap++) {
  const untilMs = performance.now() + lapMs - settlingMs;
  await Promise.all(Array.from({ length: visitors }, () => visitUntil(untilMs)));
  await pause(settlingMs);
  laps.push(show(String(lap), await gateway.measure()));
}

const before = await gateway.measure();
const idleSockets = await crowd(idle);
const crowded = show(`${idle} idle`, await gateway.measure());
const perKiB = (((crowded['residentMiB'] ?? 0) - (before['residentMiB'] ?? 0)) * 1024) / Math.max(1, idle);
console.log(`  ${perKiB.toFixed(1)} KiB for each idle connection`);
await Promise.all(
  Array.from({ length: busy }, () =>
    oneCallAfterAnother({ ...visited, isCrowded: true }).catch((error: unknown) =>
      failures.push(`busy: ${String(error)}`),
    ),
  ),
);
show(`${busy} busy`, await gateway.measure());
for (const socket of idleSockets) socket.close();
await pause(settlingMs);
show('after', await gateway.measure());

const grown = growths();
for (const sentence of [...grown, ...failures.slice(0, 20)]) console.log(sentence);
await gateway.stop();
process.exit(grown.length + failures.length > 0 ? 1 : 0);

/** Opens this number of connections at the same time, each of which has made one call. */
async function crowd(count: number): Promise<readonly VisitorSocket[]> {
  const sockets: VisitorSocket[] = [];
  const enter = async () => {
    const socket = await VisitorSocket.open(gateway.port);
    socket.send('GET /healthz HTTP/1.1\r\nHost: soak\r\n\r\n');
    if ((await socket.next())?.status !== 200) failures.push('one of the idle was not answered');
    return socket;
  };
  for (const atOnce = 200; sockets.length < count; )
    sockets.push(...(await Promise.all(Array.from({ length: Math.min(atOnce, count - sockets.length) }, enter))));
  return sockets;
}

/** The first laps fill caches: compares the last lap with the one after a third of the time. */
function growths(): string[] {
  const [early, late] = [laps[Math.floor(laps.length / 3)], laps.at(-1)];
  if (early === undefined || late === undefined) return [];
  const room = { residentMiB: 16, heapMiB: 4, otherDescriptors: 2, timers: 4, promises: 200, abortControllers: 20 };
  const grown = Object.entries(room).flatMap(([name, max]) => {
    const growth = (late[name] ?? 0) - (early[name] ?? 0);
    return growth > max ? [`${name} grew by ${growth.toFixed(1)}`] : [];
  });
  // Connections to the node stay open for later calls: at most as many as there were concurrent calls.
  if ((late['sockets'] ?? 0) > visitors + 16) grown.push(`${late['sockets']} sockets were left`);
  return grown;
}

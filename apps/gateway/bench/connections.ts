/** Memory of a gateway with many connections: idle ones after one call each, and others with a call in flight. */
import { setTimeout as pause } from 'node:timers/promises';
import { residentBytes } from '@flowgate/devkit/load/process-usage';
import type { Contestant } from './contestant.ts';
import type { Bench, Progress } from './measure.ts';
import { scenarios } from './scenarios.ts';

export const connectionsName = 'connections';

export type ConnectionsRow = { readonly what: string; readonly bytes: number | undefined };

const idleCount = 10_000;
const busyCount = 1_000;
const atOnce = 200;
/** Time for the runtime to release unused memory. */
const settlingMs = 1_000;
const request = 'GET /healthz HTTP/1.1\r\nHost: bench\r\n\r\n';

/** Resident memory: before, with 10,000 idle connections, with 1,000 busy ones in addition, and after all have closed. */
export async function measureConnections(
  { generator, population, options }: Bench,
  { main }: Contestant,
  progress: Progress,
): Promise<readonly ConnectionsRow[]> {
  const rows: ConnectionsRow[] = [];
  const note = async (what: string) => {
    await pause(settlingMs);
    rows.push({ what, bytes: residentBytes(main.pid) });
  };
  const [scenario] = scenarios;
  if (scenario === undefined) return [];
  progress(`connections, ${idleCount} idle`);
  await note('no connection');
  const idle: Bun.Socket<undefined>[] = [];
  while (idle.length < idleCount)
    idle.push(
      ...(await Promise.all(Array.from({ length: Math.min(atOnce, idleCount - idle.length) }, () => open(main.port)))),
    );
  await note(`${idleCount} idle`);
  progress(`connections, ${busyCount} busy`);
  const requests = { ...scenario.requests(population, 0), port: main.port };
  await generator.prepare({
    requests,
    expectation: scenario.expectation,
    connections: busyCount,
    warmUpMs: options.warmUpMs,
  });
  const load = generator.measure({ kind: 'closed', durationMs: 2 * settlingMs });
  await note(`and ${busyCount} busy`);
  await load;
  await generator.release();
  for (const socket of idle) socket.terminate();
  await note('all closed');
  return rows;
}

/** A connection whose single request was answered. */
function open(port: number): Promise<Bun.Socket<undefined>> {
  return new Promise((resolve, reject) => {
    Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        open: (socket) => void socket.write(request),
        data: (socket) => resolve(socket),
        close: () => reject(new Error('an idle connection was closed')),
        error: (_socket, error) => reject(error),
      },
    }).catch(reject);
  });
}

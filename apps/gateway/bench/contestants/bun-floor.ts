/** Starts the bare Bun servers that show the cost of the runtime itself. */
import { fileURLToPath } from 'node:url';
import { member } from '@flowgate/json/json-object';
import type { Contestant, Runtime } from '../contestant.ts';

const program = fileURLToPath(new URL('./bun-server.ts', import.meta.url));

export async function startBunFloor(kind: 'fetch' | 'fixed', { workshop, upstreamPort }: Runtime): Promise<Contestant> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const child = Bun.spawn([process.execPath, program, kind, String(upstreamPort)], {
    stdio: ['ignore', 'inherit', 'inherit'],
    ipc: (message: unknown) => resolve(portIn(message)),
  });
  workshop.atEnd(async () => {
    child.kill();
    await child.exited;
  });
  return {
    name: kind === 'fetch' ? 'bun-fetch' : 'bun-fixed',
    main: { port: await promise, pid: child.pid },
    does: ({ name }) => name === 'proxied-header' || name === (kind === 'fetch' ? 'batch-100' : 'unknown-key'),
    expects: ({ expectation }) => (kind === 'fetch' ? expectation : { status: 200, body: 'any' }),
  };
}

/** The port that a child process reports over IPC by this name. */
export function portIn(message: unknown, name = 'port'): number {
  const port = member(message, name);
  if (typeof port === 'number') return port;
  throw new Error('a child process reported no port');
}

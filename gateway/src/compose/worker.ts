/** A worker, one of several processes that serve the same port: starts when its supervisor says so, and ends when the supervisor says so or is gone. */

import type { Config } from '../config/config.ts';
import { compose } from './gateway.ts';
import type { Launch } from './surroundings.ts';
import type { ToSupervisor, ToWorker } from './worker-messages.ts';

export type WorkerChannel = {
  readonly tell: (message: ToSupervisor) => void;
  readonly onMessage: (listen: (message: ToWorker) => void) => void;
  readonly onGone: (listen: () => void) => void;
};

/** Resolves with the exit code. Rejects with a sentence for the operator when it cannot start. */
export async function runWorker(channel: WorkerChannel, launch: Launch): Promise<number> {
  const told = Promise.withResolvers<Config>();
  const asked = Promise.withResolvers<string>();
  channel.onMessage((message) => {
    if (message.kind === 'begin') told.resolve(message.config);
    else asked.resolve(message.signal);
  });
  channel.onGone(() => asked.resolve('the supervisor is gone'));
  channel.tell({ kind: 'listening' });
  const ended = asked.promise.then(() => undefined);
  const config = await Promise.race([told.promise, ended]);
  if (config === undefined) return 0;
  const gateway = await Promise.race([compose(config, launch), ended]);
  // A worker that does not serve yet has nothing to drain.
  if (gateway === undefined) return 0;
  channel.tell({ kind: 'serving' });
  return (await gateway.drain(await asked.promise)) > 0 ? 1 : 0;
}

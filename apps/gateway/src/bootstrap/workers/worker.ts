/** A worker, one of several processes that serve the same port: starts when its supervisor says so, and ends when the supervisor says so or is gone. */

import { singleFlight } from '@flowgate/async/single-flight';
import type { Config } from '../../config/config.ts';
import { compose } from '../gateway.ts';
import type { Launch } from '../runtime.ts';
import { Asking } from './process-questions.ts';
import type { ToSupervisor, ToWorker } from './worker-messages.ts';

export type WorkerChannel = {
  readonly report: (message: ToSupervisor) => void;
  readonly onMessage: (listen: (message: ToWorker) => void) => void;
  readonly onGone: (listen: () => void) => void;
};

/** Milliseconds to learn how the others are: longer than their supervisor waits for each. */
const othersMs = 2_000;

/** Resolves with the exit code. Rejects with a sentence for the operator when it cannot start. */
export async function runWorker(channel: WorkerChannel, number: number, launch: Launch): Promise<number> {
  const reported = Promise.withResolvers<Config>();
  const asked = Promise.withResolvers<{ readonly signal: string; readonly handsOver: boolean }>();
  const serving = Promise.withResolvers<Awaited<ReturnType<typeof compose>>>();
  const asking = new Asking<'unready-others'>(channel.report, othersMs);
  channel.onMessage((message) => {
    if (message.kind === 'begin') reported.resolve(message.config);
    else if (message.kind === 'drain') asked.resolve(message);
    else if (message.kind === 'answer') asking.answered(message);
    else
      void serving.promise.then(async (gateway) => {
        const value = message.what === 'ready' ? await gateway.ready() : gateway.metrics();
        channel.report({ kind: 'answer', id: message.id, value });
      });
  });
  channel.onGone(() => asked.resolve({ signal: 'the supervisor is gone', handsOver: false }));
  channel.report({ kind: 'listening' });
  const ended = asked.promise.then(() => undefined);
  const config = await Promise.race([reported.promise, ended]);
  if (config === undefined) return 0;
  // Probes at the same time share one question.
  const unreadyOthers = singleFlight(async () => numbersOf(await asking.ask('unready-others')));
  const gateway = await Promise.race([compose(config, { ...launch, worker: { number, unreadyOthers } }), ended]);
  // A worker that does not serve yet has nothing to drain.
  if (gateway === undefined) return 0;
  serving.resolve(gateway);
  channel.report({ kind: 'serving' });
  const { signal, handsOver } = await asked.promise;
  const cutOff = await gateway.drain(signal, handsOver);
  const metrics = gateway.metrics();
  if (metrics !== undefined) channel.report({ kind: 'last-metrics', metrics });
  return cutOff > 0 ? 1 : 0;
}

/** A supervisor that does not answer is no reason to refuse callers. */
function numbersOf(value: unknown): readonly number[] {
  return Array.isArray(value) ? value : [];
}

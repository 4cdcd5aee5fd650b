/** `flowgate listen`: forwards the events of the caller's sessions to a local address, signed like webhooks. */

import { setTimeout as timer } from 'node:timers/promises';
import type { FlowEvent } from '@flowgate/client';
import { signMessage } from '@flowgate/client/flow-app';
import type { Cli } from '../cli.ts';
import { CliProblem } from '../cli-problem.ts';
import { newSecret } from '../flow-apps/signing-secret.ts';
import { plainJson } from '../output/plain-text.ts';
import { forwardEvent } from './forward-event.ts';
import { replayPlace } from './replay-place.ts';
import { watchSessions } from './watch-sessions.ts';

export type ListenOptions = {
  readonly forwardTo: string;
  readonly app: readonly string[];
  readonly event: readonly string[];
  readonly replay?: string;
  /** False with `--no-follow`. */
  readonly follow: boolean;
  /** In seconds. */
  readonly poll: number;
};

export const secretVariable = 'WEBHOOK_SECRET';

/** A gateway retries for a day; here a developer watches, so a few attempts suffice. */
const pausesMs = [500, 2_000, 5_000, 15_000, 30_000];
const maxWaiting = 1_000;

export async function forwardEvents(cli: Cli, options: ListenOptions): Promise<void> {
  const { output, runtime } = cli;
  const { environment, clock, randomBytes, signal } = runtime;
  const url = targetOf(options.forwardTo);
  const own = environment[secretVariable] ?? '';
  if (own !== '' && !(await canSign(own)))
    throw new CliProblem('usage', `${secretVariable} is not a valid secret: it must be whsec_ followed by base64`);
  const secret = own === '' ? newSecret(randomBytes) : own;
  const replay = options.replay === undefined ? undefined : replayPlace(options.replay, clock.now());
  const client = await cli.client('token', 'apiKey');
  const stopped = new AbortController();
  const ending = AbortSignal.any([signal, stopped.signal]);
  const waiting = new Set<Promise<void>>();
  const line = (document: object, people: string, style?: 'green' | 'red' | 'yellow') =>
    output.isJson() ? output.raw(`${plainJson(JSON.stringify(document))}\n`) : output.say(people, style);

  async function attempt(event: FlowEvent, number: number): Promise<void> {
    const from = clock.monotonic();
    const { status, isDelivered, isGone, reported } = await forwardEvent(event, {
      url,
      secret,
      now: clock.now,
      signal: ending,
    });
    const ms = Math.round(clock.monotonic() - from);
    const pauseMs = isDelivered || isGone ? undefined : pausesMs[number - 1];
    const again = pauseMs === undefined ? (isDelivered ? '' : ', given up') : `, again in ${pauseMs / 1000} s`;
    const facts = {
      type: 'delivery',
      event,
      attempt: number,
      ...(status === undefined ? { problem: reported } : { status }),
      ms,
    };
    await line(
      facts,
      `${event.timestamp} ${event.type} ${event.id} → ${reported} (${ms} ms)${again}`,
      isDelivered ? 'green' : 'red',
    );
    if (isGone) return stopped.abort(new CliProblem('failed', `${url} answered 410: it accepts no more events`));
    if (pauseMs !== undefined && waiting.size < maxWaiting) later(event, number + 1, pauseMs);
  }

  /** Later events do not wait for one that is retried, as on a gateway. */
  function later(event: FlowEvent, number: number, pauseMs: number): void {
    const work = timer(pauseMs, undefined, { signal: ending })
      .then(() => attempt(event, number))
      .catch((error: unknown) => {
        if (!ending.aborted) stopped.abort(error);
      })
      .finally(() => waiting.delete(work));
    waiting.add(work);
  }

  if (!output.isJson()) {
    await output.say(
      `Forwarding events of ${options.app.length === 0 ? 'your sessions' : options.app.join(', ')} to ${url}`,
      'bold',
    );
    await output.say(own === '' ? `They are signed with ${secret}` : `They are signed with ${secretVariable}`);
  } else await line({ type: 'ready', url, ...(own === '' ? { secret } : {}) }, '');
  try {
    await watchSessions({
      ...{ flow: client.flow, appIds: options.app, replay, follows: options.follow, pollMs: options.poll * 1_000 },
      signal: ending,
      pause: (ms) => timer(ms, undefined, { signal: ending }),
      onEvent: async (event) => {
        if (event.type === loggedOnly) return;
        if (options.event.length === 0 || options.event.includes(event.type)) await attempt(event, 1);
      },
      onTrouble: (error, pauseMs) =>
        output.note(`flowgate: ${error.message} Looking again in ${Math.round(pauseMs / 1000)} s.`, 'yellow'),
      onReady: async () => {
        if (options.follow) await output.note('Listening. Ctrl-C ends it.', 'dim');
      },
    });
    while (waiting.size > 0) await Promise.all(waiting);
    ending.throwIfAborted();
  } catch (error) {
    // The reason of an aborted wait is wrapped in another error.
    throw stopped.signal.aborted ? stopped.signal.reason : error;
  }
}

/** An event without delivery: no webhook can subscribe to it. */
const loggedOnly = 'subscription_disabled';

/** Accepts `3001`, `localhost:3001/hook` and complete URLs. */
function targetOf(text: string): string {
  const whole = /^\d{1,5}(\/|$)/.test(text)
    ? `http://127.0.0.1:${text}`
    : text.includes('://')
      ? text
      : `http://${text}`;
  const url = URL.parse(whole);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password !== '')
    throw new CliProblem(
      'usage',
      '--forward-to is an http(s) address without user and password, such as http://127.0.0.1:3001/hook',
    );
  return url.href;
}

function canSign(secret: string): Promise<boolean> {
  return signMessage({ secret, id: 'probe', atMs: 0, body: '' }).then(
    () => true,
    () => false,
  );
}

/**
 * For tests of pipelining: a server that delays the requests of each connection until the test answers them, and a
 * client for it.
 */

import type { Http1Call } from '@flowgate/http1/client/http1-call';
import type { Http1Client, Http1ClientOptions } from '@flowgate/http1/client/http1-client';
import { open, type Peer, reply, serve } from './raw-http1-server.ts';
import { until } from './until.ts';

/**
 * `waiting`: bodies that arrived on it and are not answered, oldest first. `isShared`: a trial arrived on it.
 * `carried`: the number of calls on it.
 */
export type Line = { readonly peer: Peer; readonly waiting: string[]; isShared: boolean; carried: number };

const trialBodies: readonly string[] = ['trial 0', 'trial 1', 'trial 2'];

/** Without `onTrial` the trial is answered correctly. */
export function pipeliningServer(
  onTrial: (peer: Peer, body: string) => void = (peer, body) => void peer.write(reply(body)),
  tls?: { cert: string; key: string },
) {
  const lines = new Map<Peer, Line>();
  const asked = new Map<string, number>();
  /** Bodies that were sent while another request was in progress on their connection. */
  const shared = new Set<string>();
  const state = { answersAtOnce: true, trials: 0 };
  const server = serve(
    (peer, { body }) => {
      const line = lines.get(peer) ?? { peer, waiting: [], isShared: false, carried: 0 };
      lines.set(peer, line);
      if (trialBodies.includes(body)) {
        line.isShared = true;
        if (body === trialBodies[0]) state.trials++;
        onTrial(peer, body);
        return;
      }
      asked.set(body, (asked.get(body) ?? 0) + 1);
      line.carried++;
      line.waiting.push(body);
      if (line.waiting.length > 1) for (const each of line.waiting) shared.add(each);
      // In the next turn of the event loop, when all requests of one write have arrived.
      if (onAsked !== undefined) setImmediate(() => onAsked?.(peer, line.waiting.shift() ?? ''));
      else if (state.answersAtOnce) answer(line);
    },
    tls === undefined ? {} : { tls },
  );
  let onAsked: ((peer: Peer, body: string) => void) | undefined;
  /** Answers the oldest request of a connection. */
  function answer({ peer, waiting }: Line, fields = ''): void {
    const body = waiting.shift();
    if (body !== undefined && peer.readyState === 1) peer.write(reply(body, fields));
  }
  /** Calls that arrived on connections that are shared. */
  const pipelined = () => [...lines.values()].reduce((sum, { isShared, carried }) => sum + (isShared ? carried : 0), 0);
  const busy = () => [...lines.values()].filter(({ peer, waiting }) => peer.readyState === 1 && waiting.length > 0);
  return {
    ...server,
    lines,
    asked,
    shared,
    state,
    answer,
    busy,
    pipelined,
    /** From now on the test answers the requests. */
    onAsked: (act: (peer: Peer, body: string) => void) => {
      onAsked = act;
    },
  };
}

export type PipeliningServer = ReturnType<typeof pipeliningServer>;

/** `off`: the reasons for which pipelining was turned off. */
export function openPipelining(url: string, options: Partial<Http1ClientOptions> = {}, trialMs = 10_000) {
  const off: string[] = [];
  const questions = trialBodies.map((body) => ({
    body,
    isAnswer: (status: number, text: string) => status === 200 && text === body,
  }));
  const client = open(url, {
    ...options,
    pipelining: {
      trial: { questions, timeoutMs: trialMs },
      turnedOn: () => {},
      turnedOff: (reason) => void off.push(reason),
    },
  });
  return { client, off };
}

/** A call that may be pipelined, and that checks that the response is its own. */
export const quick = (body: string, more: Partial<Http1Call> = {}): Http1Call => ({
  timeoutMs: 10_000,
  mayPipeline: true,
  accepts: (_status, content) => content.text() === body,
  ...more,
});

/** Sends calls until `count` connections pipeline and all calls have ended. */
export async function withPipelines(
  { state, seen }: PipeliningServer,
  client: Http1Client,
  count: number,
): Promise<void> {
  const before = state.answersAtOnce;
  state.answersAtOnce = true;
  await until('the pipelines are there', async () => {
    await Promise.all(Array.from({ length: count }, (_, nth) => client.post(`warm ${nth}`, quick(`warm ${nth}`))));
    return state.trials >= count;
  });
  await until('all is at rest', () => {
    const { open: isOpen, idle } = client.stats();
    return idle === isOpen && isOpen === seen.connections;
  });
  state.answersAtOnce = before;
}

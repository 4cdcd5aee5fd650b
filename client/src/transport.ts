/** Sends requests to one gateway: with the caller's credential in a header, bounded in time, and repeated only where that is harmless and wanted. */

import { type Credential, credentialHeader } from './credential.ts';
import { type Deadline, withDeadline } from './deadline.ts';
import { type AnswerFacts, FlowgateError, noAnswerFacts } from './flowgate-error.ts';
import { type Answer, factsOf, readAnswer, unreadable } from './read-answer.ts';
import { mayPass, retryDelayMs } from './retry-delay.ts';

/** Options of every call; defaults are those of the client. */
export type CallOptions = {
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** For the whole call, retries and waits included; Infinity for no limit. Default 30 000. */
  readonly timeoutMs?: number | undefined;
  /**
   * The most retries after a temporary failure, each after the time in `Retry-After`, never beyond `timeoutMs`. Left out: 2 for a `GET` that was answered 503; 3 for
   * a session's start and a step's submission, whose idempotency keys make that safe; 0 for everything else. A mint and JSON-RPC methods that are not plain reads,
   * `eth_sendRawTransaction` above all, are never repeated.
   */
  readonly retries?: number | undefined;
};

/** The part of `fetch` that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type TransportSettings = {
  readonly baseUrl: string;
  readonly credential: Credential;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  /** `undefined`: the call's own default. */
  readonly retries: number | undefined;
};

export type Call = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With leading slash; holds no secret. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether executing it twice is as good as once. */
  readonly repeatable: boolean;
  /** The number of retries when neither the call's options nor the client's say. Left out: `readRetries` after a 503 for a `GET`, otherwise none. */
  readonly usualRetries?: number;
  readonly options: CallOptions;
};

/** Throws `FlowgateError` for everything but a 2xx answer, and the signal's reason when the caller aborted. */
export type Send = (call: Call) => Promise<Answer>;

/** A stream of events: the answer's head; its body is still to be read. Bounded by `signal` only. Throws as `Send` does. */
export type Open = (
  call: Pick<Call, 'path' | 'headers'>,
  signal: AbortSignal,
) => Promise<{ readonly response: Response; readonly facts: AnswerFacts }>;

export type Transport = { readonly send: Send; readonly open: Open };

export function createTransport(settings: TransportSettings): Transport {
  const base = checkedBase(settings.baseUrl);
  return {
    send({ options, ...call }) {
      const repeating = repeatingOf(call, options.retries ?? settings.retries);
      return withDeadline({ timeoutMs: options.timeoutMs ?? settings.timeoutMs, signal: options.signal }, (deadline) =>
        withRetries(repeating, deadline, () => attempt(settings, base + call.path, call, deadline.signal)),
      );
    },
    async open({ path, headers }, signal) {
      const init = await requestInit(settings, { method: 'GET', headers: { Accept: 'text/event-stream', ...headers } });
      const url = base + path;
      const response = await settings.fetch(url, { ...init, signal }).catch(unreached(signal));
      if (response.ok) return { response, facts: factsOf(response) };
      readAnswer(response, await response.text().catch(unreached(signal)));
      throw unreadable(factsOf(response));
    },
  };
}

type Repeating = {
  readonly retries: number;
  readonly after: (error: FlowgateError) => boolean;
  /** A call does not wait longer than this. */
  readonly longestDelayMs: number;
};

/** A gateway that drains or waits for its database answers 503 with a time: a read repeats itself if that is soon. */
const readRetries = 2;
const longestUnaskedDelayMs = 10_000;

function repeatingOf(call: Omit<Call, 'options'>, asked: number | undefined): Repeating {
  const told = call.repeatable ? (asked ?? call.usualRetries) : 0;
  if (told !== undefined) return { retries: told, after: mayPass, longestDelayMs: Number.POSITIVE_INFINITY };
  return {
    retries: call.method === 'GET' ? readRetries : 0,
    after: (error) => error.status === 503 && mayPass(error),
    longestDelayMs: longestUnaskedDelayMs,
  };
}

async function withRetries(
  { retries, after, longestDelayMs }: Repeating,
  deadline: Deadline,
  once: () => Promise<Answer>,
): Promise<Answer> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await once();
    } catch (error) {
      const mayRepeat = attempts <= retries && !deadline.signal.aborted;
      if (!mayRepeat || !(error instanceof FlowgateError) || !after(error)) throw error;
      const delayMs = retryDelayMs(error, attempts, Math.random);
      // The refusal says more than the time-out that would follow.
      if (delayMs >= Math.min(deadline.remainingMs(), longestDelayMs)) throw error;
      await deadline.pause(delayMs);
    }
  }
}

async function attempt(
  settings: TransportSettings,
  url: string,
  call: Pick<Call, 'method' | 'body' | 'headers'>,
  signal: AbortSignal,
): Promise<Answer> {
  const init = await requestInit(settings, call);
  const [response, text] = await settings
    .fetch(url, { ...init, signal })
    .then(async (answer) => [answer, await answer.text()] as const)
    .catch(unreached(signal));
  return readAnswer(response, text);
}

async function requestInit(
  { credential }: TransportSettings,
  { method, body, headers }: Pick<Call, 'method' | 'body' | 'headers'>,
): Promise<RequestInit> {
  return {
    method,
    headers: {
      Accept: 'application/json',
      ...(await credentialHeader(credential)),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    // A redirect to another origin would take X-API-Key along.
    redirect: 'error',
    credentials: 'omit',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

/** Throws the signal's reason when the caller or the time limit ended the request. */
function unreached(signal: AbortSignal): (cause: unknown) => never {
  return (cause) => {
    signal.throwIfAborted();
    throw new FlowgateError('Flowgate could not be reached.', { kind: 'no-answer' }, noAnswerFacts, { cause });
  };
}

/** Without a trailing slash. Throws `TypeError` for a text that cannot be a gateway's address. */
function checkedBase(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new TypeError('baseUrl must be an http(s) URL.');
  if (url.username + url.password + url.search + url.hash !== '') {
    throw new TypeError('baseUrl must have no user, password, query or fragment: credentials go into headers.');
  }
  return url.origin + url.pathname.replace(/(?<!\/)\/+$/, '');
}

/** Sends requests to one gateway: the caller's credential in a header, bounded in time, repeated only where that is harmless and asked for. */

import { type Credential, credentialHeader } from './credential.ts';
import { type Deadline, withDeadline } from './deadline.ts';
import { FlowgateError, noAnswerFacts } from './flowgate-error.ts';
import { type Answer, readAnswer } from './read-answer.ts';
import { mayPass, retryDelayMs } from './retry-delay.ts';

/** May be given to every call; what is left out is as the client was made. */
export type CallOptions = {
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** For the whole call, retries and waits included; Infinity for no limit. Default 30 000. */
  readonly timeoutMs?: number | undefined;
  /**
   * How often at most a call that failed in passing is tried again, after as long as `Retry-After` says. Default 0. A mint and JSON-RPC
   * methods that are not plain reads, `eth_sendRawTransaction` above all, are never repeated.
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
  readonly retries: number;
};

export type Call = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With leading slash; holds no secret. */
  readonly path: string;
  readonly body?: unknown;
  /** Whether executing it twice is as good as once. */
  readonly repeatable: boolean;
  readonly options: CallOptions;
};

/** Throws `FlowgateError` for everything but a 2xx answer, and the signal's reason when the caller aborted. */
export type Send = (call: Call) => Promise<Answer>;

export function createTransport(settings: TransportSettings): Send {
  const base = checkedBase(settings.baseUrl);
  return ({ options, ...call }) => {
    const retries = call.repeatable ? (options.retries ?? settings.retries) : 0;
    return withDeadline({ timeoutMs: options.timeoutMs ?? settings.timeoutMs, signal: options.signal }, (deadline) =>
      withRetries(retries, deadline, () => attempt(settings, base + call.path, call, deadline.signal)),
    );
  };
}

async function withRetries(retries: number, deadline: Deadline, once: () => Promise<Answer>): Promise<Answer> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await once();
    } catch (error) {
      const mayRepeat = attempts <= retries && !deadline.signal.aborted;
      if (!mayRepeat || !(error instanceof FlowgateError) || !mayPass(error)) throw error;
      const delayMs = retryDelayMs(error, attempts, Math.random);
      // The refusal tells more than a time-out that is sure to come.
      if (delayMs >= deadline.remainingMs()) throw error;
      await deadline.pause(delayMs);
    }
  }
}

async function attempt(
  { credential, fetch }: TransportSettings,
  url: string,
  { method, body }: Omit<Call, 'options'>,
  signal: AbortSignal,
): Promise<Answer> {
  const headers: Record<string, string> = { Accept: 'application/json', ...(await credentialHeader(credential)) };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const init: RequestInit = {
    method,
    headers,
    signal,
    // Followed across origins, a redirect would take X-API-Key along.
    redirect: 'error',
    credentials: 'omit',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  const [response, text] = await fetch(url, init)
    .then(async (answer) => [answer, await answer.text()] as const)
    .catch((cause: unknown) => {
      signal.throwIfAborted();
      throw new FlowgateError('Flowgate could not be reached.', { kind: 'no-answer' }, noAnswerFacts, { cause });
    });
  return readAnswer(response, text);
}

/** Without trailing slash. Throws `TypeError` for what cannot be a gateway's address. */
function checkedBase(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new TypeError('baseUrl must be an http(s) URL.');
  if (url.username + url.password + url.search + url.hash !== '') {
    throw new TypeError('baseUrl must have no user, password, query or fragment: credentials go into headers.');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** Sends requests to one gateway: with the credential in a header, bounded in time, and retried only where that is safe and requested. */

import type { CredentialHeader } from './credential.ts';
import { withDeadline } from './deadline.ts';
import { type AnswerFacts, FlowgateError, noAnswerFacts } from './flowgate-error.ts';
import { type Answer, factsOf, readAnswer, unreadable } from './read-answer.ts';
import { type Retry, repeatingOf, withRetries } from './retry.ts';

/** Called for each answer to a request, including refusals, before the call acts on it. */
export type OnAnswer = (answer: AnswerFacts & { readonly method: string; readonly path: string }) => void;

/** Options of all calls; the client's options are the defaults. */
export type CallOptions = {
  /** Ends the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** In milliseconds, for the whole call including retries and waits; Infinity for no limit. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Which failures are retried, how often, and how long a retry may wait. */
  readonly retry?: Retry | undefined;
  /** Called in addition to the client's: receives facts about the answer, such as the request's id and the remaining limit. */
  readonly onAnswer?: OnAnswer | undefined;
};

/** The used part of `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type TransportSettings = {
  readonly url: string;
  readonly credential: CredentialHeader;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
  /** `undefined`: the call's own default. */
  readonly retry: Retry | undefined;
  readonly onAnswer: OnAnswer | undefined;
};

export type Call = {
  readonly method: string;
  /** With leading slash; contains no secret. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether repeating the call is harmless. */
  readonly repeatable: boolean;
  /** Number of retries when neither the call's options nor the client's set it. */
  readonly defaultRetries?: number;
  /** Sent without credential: the route is public. */
  readonly open?: true;
  readonly options: CallOptions;
};

/** Throws `FlowgateError` for each answer except 2xx, and the signal's reason when the caller aborts. */
export type Send = (call: Call) => Promise<Answer>;

/** An event stream: the answer's head with an unread body. Bounded by `signal` only. Throws like `Send`. */
export type Open = (
  call: Pick<Call, 'path' | 'headers'>,
  signal: AbortSignal,
) => Promise<{ readonly response: Response; readonly facts: AnswerFacts }>;

export type Transport = { readonly send: Send; readonly open: Open };

/** Far more than a gateway's answers, and than a program buffers. */
export const defaultMaxAnswerBytes = 256 * 2 ** 20;

export function createTransport(settings: TransportSettings): Transport {
  const base = checkedBase(settings.url);
  /** Reports the answer's head to the client's and the call's `onAnswer`. */
  const request = async (call: Pick<Call, 'method' | 'path' | 'body' | 'headers' | 'open'>, asking: Asking) => {
    const init = await requestInit(call, call.open === true ? {} : await settings.credential(asking.signal));
    const response = await settings
      .fetch(base + call.path, { ...init, signal: asking.signal })
      .catch(unreached(asking.signal));
    const facts = factsOf(response);
    if (isRedirect(response)) throw redirected(facts);
    const reported = { ...facts, method: call.method, path: call.path };
    settings.onAnswer?.(reported);
    asking.onAnswer?.(reported);
    return { response, facts };
  };
  const wholeText = async (response: Response, facts: AnswerFacts, signal: AbortSignal) => {
    const text = await boundedText(response, settings.maxAnswerBytes).catch(unreached(signal));
    if (text === undefined) throw unreadable(facts, `The answer has more than ${settings.maxAnswerBytes} bytes.`);
    return text;
  };
  return {
    send(call) {
      const { signal: outer, timeoutMs = settings.timeoutMs, retry = settings.retry, onAnswer } = call.options;
      return withDeadline({ timeoutMs, signal: outer }, (deadline) =>
        withRetries(repeatingOf(call, retry), deadline, async () => {
          const { signal } = deadline;
          const { response, facts } = await request(call, { signal, onAnswer });
          return readAnswer(facts, await wholeText(response, facts, signal));
        }),
      );
    },
    async open({ path, headers }, signal) {
      const call = { method: 'GET', path, headers: { Accept: 'text/event-stream', ...headers } } as const;
      const { response, facts } = await request(call, { signal });
      if (response.ok) return { response, facts };
      readAnswer(facts, await wholeText(response, facts, signal));
      throw unreadable(facts);
    },
  };
}

type Asking = Pick<CallOptions, 'onAnswer'> & { readonly signal: AbortSignal };

async function requestInit(
  { method, body, headers }: Pick<Call, 'method' | 'body' | 'headers'>,
  credential: Readonly<Record<string, string>>,
): Promise<RequestInit> {
  return {
    method,
    headers: {
      Accept: 'application/json',
      ...credential,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    // A redirect to another origin would receive X-API-Key. `error` would also prevent that, but the workers of some hosts reject it.
    redirect: 'manual',
    // The same hosts have no cookies, and reject this member.
    ...('credentials' in Request.prototype ? { credentials: 'omit' } : {}),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

/** Browsers hide a redirect that is not followed; other platforms show its status. */
function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

function redirected(facts: AnswerFacts): FlowgateError {
  return unreadable(
    facts,
    'The answer is a redirect, which is not followed: set `url` to the address of the gateway itself.',
  );
}

/** Throws the signal's reason when the caller or the time limit ended the request. */
function unreached(signal: AbortSignal): (cause: unknown) => never {
  return (cause) => {
    signal.throwIfAborted();
    throw new FlowgateError('Flowgate could not be reached.', { kind: 'no-answer' }, noAnswerFacts, { cause });
  };
}

/** Normalizes to no trailing slash. Throws `TypeError` for a text that cannot be a gateway's address. */
export function checkedBase(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new TypeError('url must be an http(s) URL.');
  if (url.username + url.password + url.search + url.hash !== '') {
    throw new TypeError('url must have no user, password, query or fragment: credentials go into headers.');
  }
  return url.origin + url.pathname.replace(/(?<!\/)\/+$/, '');
}

/** The whole body, or `undefined` when it exceeds the maximum; the rest is then not read. Rejects when the body does. */
async function boundedText(response: Response, maxBytes: number): Promise<string | undefined> {
  const { body } = response;
  // Some platforms have no stream; null is an empty body.
  if (body === null || body === undefined) return response.text();
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      // A broken body needs no further action.
      reader.cancel().catch(() => undefined);
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

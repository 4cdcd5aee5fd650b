/** Sends requests to one gateway: with the caller's credential in a header, bounded in time, and repeated only where that is harmless and wanted. */

import type { CredentialHeader } from './credential.ts';
import { withDeadline } from './deadline.ts';
import { type AnswerFacts, FlowgateError, noAnswerFacts } from './flowgate-error.ts';
import { type Answer, factsOf, readAnswer, unreadable } from './read-answer.ts';
import { type Retry, repeatingOf, withRetries } from './retry.ts';

/** Told of every answer that a request got, refusals among them, before the call acts on it. */
export type OnAnswer = (answer: AnswerFacts & { readonly method: string; readonly path: string }) => void;

/** Options of every call; defaults are those of the client. */
export type CallOptions = {
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** For the whole call, retries and waits included; Infinity for no limit. Default 30 000. */
  readonly timeoutMs?: number | undefined;
  /** What is repeated after a failure, and how patiently. */
  readonly retry?: Retry | undefined;
  /** Beside the client's: what the answer says about itself, such as the request's id and what is left of the limit. */
  readonly onAnswer?: OnAnswer | undefined;
};

/** The part of `fetch` that is used. */
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
  /** With leading slash; holds no secret. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether executing it twice is as good as once. */
  readonly repeatable: boolean;
  /** The number of retries when neither the call's options nor the client's say. */
  readonly defaultRetries?: number;
  /** Sent without credential: the route is open to everybody. */
  readonly open?: true;
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

/** Far beyond what a gateway answers at once, and what a program keeps. */
export const defaultMaxAnswerBytes = 256 * 2 ** 20;

export function createTransport(settings: TransportSettings): Transport {
  const base = checkedBase(settings.url);
  /** The answer's head, told to whoever wants to know. */
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
    // A redirect to another origin would take X-API-Key along. `error` would do, but not everywhere: workers of some hosts refuse it.
    redirect: 'manual',
    // The same hosts know no cookies, and refuse the member.
    ...('credentials' in Request.prototype ? { credentials: 'omit' } : {}),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

/** Browsers show nothing of a redirect that is not followed, others its status. */
function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

function redirected(facts: AnswerFacts): FlowgateError {
  return unreadable(
    facts,
    'The answer is a redirect, which is not followed: `url` has to be the address of the gateway itself.',
  );
}

/** Throws the signal's reason when the caller or the time limit ended the request. */
function unreached(signal: AbortSignal): (cause: unknown) => never {
  return (cause) => {
    signal.throwIfAborted();
    throw new FlowgateError('Flowgate could not be reached.', { kind: 'no-answer' }, noAnswerFacts, { cause });
  };
}

/** Without a trailing slash. Throws `TypeError` for a text that cannot be a gateway's address. */
export function checkedBase(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new TypeError('url must be an http(s) URL.');
  if (url.username + url.password + url.search + url.hash !== '') {
    throw new TypeError('url must have no user, password, query or fragment: credentials go into headers.');
  }
  return url.origin + url.pathname.replace(/(?<!\/)\/+$/, '');
}

/** The whole body, or `undefined` when it is longer; the rest is then not fetched. Rejects as the body does. */
async function boundedText(response: Response, maxBytes: number): Promise<string | undefined> {
  const { body } = response;
  // Some platforms give no stream; null is an empty body.
  if (body === null || body === undefined) return response.text();
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      // Nothing is left to do when it is broken already.
      reader.cancel().catch(() => undefined);
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

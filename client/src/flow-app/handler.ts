/** Serves a Flow App: signed `POST /renderStep`, executed once for each submission, and `GET /health` (contract/flow-apps#downstream). */

import { hasMembers } from '../shape.ts';
import { type SignedHeaders, secretBytes, verifySignature } from '../verify-signature.ts';
import { WebhookError } from '../webhook-error.ts';
import type { RenderRequest, RenderResponse } from '../wire.ts';
import { type Acted, createAnswerOnce, StoreUnreadable } from './answer-once.ts';
import { type AnswerStore, createMemoryStore } from './answer-store.ts';
import { chunksOf, readBounded } from './bounded-body.ts';
import { checkAnswer } from './check-answer.ts';
import { FlowAppError } from './flow-app-error.ts';

/** A reducer: takes state and submission, returns the next step. An error is a 500, which the gateway treats as retryable. */
export type RenderStep = (request: RenderRequest) => RenderResponse | Promise<RenderResponse>;

/** An app for the handler: the result of `createFlowApp`, or a custom reducer. */
export type FlowAppReducer = {
  readonly renderStep: RenderStep;
  /** `publisher/slug`: requests for another app are refused. */
  readonly appId?: string | undefined;
  /** The version's declarations; an answer that does not match them is not sent. Omitted: not checked. */
  readonly stepIds?: readonly string[] | undefined;
  readonly eventTypes?: readonly string[] | undefined;
  /** What the app lacks; an app that lacks something is not served. */
  readonly missing?: (() => readonly string[]) | undefined;
};

export type FlowAppOptions = {
  /** The `whsec_…` secret of the published version. Several during a rotation: each is tried. Throws `TypeError` for an invalid secret. */
  readonly signingSecret: string | readonly string[];
  /** Default: in memory, lost with the process. */
  readonly store?: AnswerStore | undefined;
  /** Path prefix of both routes, for several apps on one port: `/guestbook`. Default: none. */
  readonly basePath?: string | undefined;
  /** If it returns false or rejects, `/health` is 503, and after three probes the gateway starts no more sessions. */
  readonly health?: (() => boolean | Promise<boolean>) | undefined;
  /**
   * Gets the errors of the reducer, the store and `health`, and `FlowAppError` for an answer that violates the contract. The caller learns only that the
   * request failed. Default: `console.error`.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Allowed difference between a signature's time and now, in seconds. Default 300. */
  readonly toleranceSeconds?: number | undefined;
  /** Larger requests are 413. Default 8 MiB: a request contains the app's state, the user's app data and one submission. */
  readonly maxBodyBytes?: number | undefined;
  /** Time in milliseconds for a body to arrive; after it the request is 408. Default 10,000. */
  readonly maxBodyMs?: number | undefined;
  /** Milliseconds since the Unix epoch. Default: the platform's clock. */
  readonly now?: (() => number) | undefined;
};

/** A server's request, in a form common to all runtimes. */
export type Incoming = {
  readonly method: string;
  readonly path: string;
  readonly headers: SignedHeaders;
  readonly body: () => AsyncIterator<Uint8Array>;
};

/** `text` is JSON. If `isUnread`, the connection cannot be reused. */
export type Outgoing = { readonly status: number; readonly text: string; readonly isUnread?: true };

export type Answering = (incoming: Incoming) => Promise<Outgoing>;

/** For `Bun.serve`, Deno, Hono, workers and other servers with the form of `fetch`. */
export type FlowAppHandler = ((request: Request) => Promise<Response>) & {
  /** For servers of any other form. */
  readonly answering: Answering;
};

/**
 * Creates a server's handler for one app. Throws `TypeError` for an invalid secret and for an app with an action that has no handler. The handler never
 * rejects. It answers 401 for a request without a recent signature by one of the secrets; 404, 405, 408 and 413 for requests that no gateway sends; 422 for an
 * answer that violates the contract; 500 when the reducer threw; 503 when the store cannot be read.
 */
export function createFlowAppHandler(app: FlowAppReducer, options: FlowAppOptions): FlowAppHandler {
  const answering = createAnswering(app, options);
  const handle = async (request: Request): Promise<Response> => {
    const { method, headers, url, body } = request;
    const path = new URL(url).pathname;
    const { status, text } = await answering({ method, path, headers, body: () => chunksOf(body) });
    return new Response(text, { status, headers: answerHeaders });
  };
  return Object.assign(handle, { answering });
}

export const answerHeaders = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' } as const;

function createAnswering(app: FlowAppReducer, options: FlowAppOptions): Answering {
  const { basePath = '', onError = (error: unknown) => console.error(error), store = createMemoryStore() } = options;
  const secrets = [options.signingSecret].flat();
  if (secrets.length === 0) throw new TypeError('A signing secret is missing.');
  const missing = app.missing?.() ?? [];
  if (missing.length > 0) throw new TypeError(missing.join(' '));
  // Throws for an invalid secret now, instead of at the first request.
  secrets.forEach(secretBytes);
  const once = createAnswerOnce(store, onError);
  const startedOnce = createAnswerOnce(createMemoryStore(recentStarts), onError);

  async function act(request: RenderRequest): Promise<Acted> {
    const checked = checkAnswer(await app.renderStep(request), app);
    if (!checked.ok) throw new FlowAppError(checked.problems);
    return { text: checked.text, hasEffect: !checked.isRefusal };
  }

  /** A start without an idempotency key has no effect, so its answer is not stored; the message's id identifies a repetition. */
  function render(request: RenderRequest, messageId: string): Promise<string> {
    const { session, submission, idempotencyKey } = request;
    if (submission !== undefined) return once(`${session.appId} ${submission.idempotencyKey}`, () => act(request));
    return idempotencyKey === undefined
      ? startedOnce(messageId, () => act(request))
      : once(`${session.appId} start ${idempotencyKey}`, () => act(request));
  }

  async function answerRender({ headers, body }: Incoming): Promise<Outgoing> {
    const now = options.now ?? Date.now;
    // Before the body is read, because reading it costs memory.
    if (!mayBeSigned(headers)) return { ...refusal(401, 'the signature does not fit'), isUnread: true };
    const bounds = { maxBytes: options.maxBodyBytes ?? 8_388_608, maxMs: options.maxBodyMs ?? 10_000 };
    const bytes = await readBounded(body(), bounds);
    if (typeof bytes === 'string') return { ...bodyRefusals[bytes], isUnread: true };
    const { toleranceSeconds } = options;
    const message = await verifySignature(
      { headers, body: bytes },
      { secret: secrets, nowMs: now(), toleranceSeconds },
    ).catch((error: unknown) => {
      if (error instanceof WebhookError) return undefined;
      throw error;
    });
    if (message === undefined) return refusal(401, 'the signature does not fit');
    const request = parsed(message.text);
    if (!isRenderRequest(request)) return refusal(400, 'not a RenderRequest of protocol version 1');
    if (app.appId !== undefined && app.appId !== request.session.appId) return refusal(404, 'another app lives here');
    return { status: 200, text: await render(request, message.id) };
  }

  async function answerHealth(): Promise<Outgoing> {
    const isWell = await options.health?.();
    return isWell === false ? refusal(503, 'not well') : { status: 200, text: '{"status":"ok"}' };
  }

  return async (incoming) => {
    const { method, path } = incoming;
    try {
      if (path === `${basePath}/health`) return method === 'GET' ? await answerHealth() : refusal(405, 'GET only');
      if (path !== `${basePath}/renderStep`) return { ...refusal(404, 'nothing here'), isUnread: true };
      return method === 'POST' ? await answerRender(incoming) : refusal(405, 'POST only');
    } catch (error) {
      if (error instanceof StoreUnreadable) return refusal(503, 'nothing was executed');
      try {
        onError(error);
      } catch {
        // An error of the error listener must not end the server.
      }
      if (error instanceof FlowAppError) return refusal(422, 'the app answers what the contract forbids');
      return path === `${basePath}/health` ? refusal(503, 'not well') : refusal(500, 'the app failed');
    }
  };
}

/** Bound for starts without a key: far more than a gateway sends within the tolerance of a signature's time. */
const recentStarts = { maxAnswers: 1_000, maxCharacters: 8_388_608 };

const signedHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

function mayBeSigned(headers: SignedHeaders): boolean {
  const has = (name: string) => {
    const value = typeof headers['get'] === 'function' ? headers.get(name) : Reflect.get(headers, name);
    return typeof value === 'string' && value !== '';
  };
  return signedHeaders.every(has);
}

const bodyRefusals = {
  'too-large': refusal(413, 'too large'),
  'too-slow': refusal(408, 'too slow'),
  broken: refusal(400, 'the body broke off'),
} as const;

function refusal(status: number, error: string): Outgoing {
  return { status, text: JSON.stringify({ error }) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The signature proves the sender, so this only distinguishes protocol versions and finds bodies that a reducer could not read. */
function isRenderRequest(value: unknown): value is RenderRequest {
  const session = { appId: 's', sessionId: 's' } as const;
  const texts = { protocolVersion: 's', reason: 's', stepId: 's' } as const;
  if (!hasMembers(value, { ...texts, session, state: {}, appData: {} })) return false;
  const { protocolVersion, reason, submission } = value;
  if (protocolVersion !== '1') return false;
  if (reason === 'start') return submission === undefined;
  return hasMembers(submission, { stepId: 's', actionId: 's', idempotencyKey: 's', fieldValues: {} });
}

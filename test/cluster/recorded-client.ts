/** Sends requests to a cluster and records what a client can know of each: time, destination and response. */

import { systemClock } from '@flowgate/base/clock';
import { isJsonObject } from '@flowgate/json/json-object';
import type { FakeIssuer } from '../../apps/gateway/test/fixtures/issuer.ts';
import { servedByHeader } from './balancer.ts';
import type { Entry, ErrorBody, ListedKey, Operation, Outcome, RateLimits, Recorder } from './history.ts';

/** The destination: a gateway by name, or the balancer. */
export type Target = { readonly name: string; readonly url: string };

export type Key = { readonly keyId: string; readonly apiKey: string; readonly userId: string };

export type Minted = { readonly entry: Entry; readonly key: Key | undefined };

export type RecordedClient = {
  readonly call: (target: Target, key: Key) => Promise<Entry>;
  readonly identify: (target: Target, userId: string) => Promise<Entry>;
  readonly mint: (target: Target, userId: string) => Promise<Minted>;
  readonly list: (target: Target, userId: string) => Promise<Entry>;
  readonly revoke: (target: Target, userId: string, keyId: string) => Promise<Entry>;
  /** The number of requests without an answer so far. */
  readonly pending: () => number;
  /** When the oldest of them was sent; Infinity when there is none. */
  readonly oldestPendingMs: () => number;
};

type Sent = {
  readonly operation: Operation;
  readonly target: Target;
  readonly userId: string;
  readonly keyId?: string;
  readonly path: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
};

type Answer = { readonly entry: Entry; readonly body: unknown };

/** Milliseconds after which the client gives up: far longer than any guaranteed response time. */
export const patienceMs = 12_000;

const callBody = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}';
const bearers = new Map<string, string>();

export function createRecordedClient(recorder: Recorder, issuer: FakeIssuer, phase: () => string): RecordedClient {
  const pending = new Set<{ readonly startMs: number }>();
  const { gateways } = recorder.promised;

  /** One token for each user, because signing takes longer than the request. */
  const signedIn = (userId: string) => {
    const known = bearers.get(`${issuer.issuer} ${userId}`);
    const bearer = known ?? `Bearer ${issuer.token({ sub: userId })}`;
    bearers.set(`${issuer.issuer} ${userId}`, bearer);
    return { Authorization: bearer };
  };

  async function send(sent: Sent): Promise<Answer> {
    const { operation, target, userId, keyId } = sent;
    const begun = {
      operation,
      userId,
      cost: 1,
      via: target.name,
      phase: phase(),
      startMs: systemClock.monotonic(),
      ...(keyId === undefined ? {} : { keyId }),
    };
    const ended = () => ({ endMs: systemClock.monotonic(), endWallMs: systemClock.now() });
    pending.add(begun);
    try {
      const response = await fetch(`${target.url}${sent.path}`, {
        method: sent.method,
        headers: sent.headers,
        keepalive: false,
        // The balancer's certificate is self-signed.
        tls: { rejectUnauthorized: false },
        signal: AbortSignal.timeout(patienceMs),
        ...(sent.body === undefined ? {} : { body: sent.body }),
      });
      const text = await response.text();
      const end = ended();
      const body = parsed(text);
      const servedBy = gateways.includes(target.name) ? target.name : response.headers.get(servedByHeader);
      const entry: Entry = {
        ...begun,
        ...end,
        outcome: 'answered',
        ...(servedBy === null ? {} : { servedBy }),
        ...seen(operation, response, body, text),
      };
      return { entry, body };
    } catch (error) {
      return { entry: { ...begun, ...ended(), outcome: outcomeOf(error) }, body: undefined };
    } finally {
      pending.delete(begun);
    }
  }

  async function recorded(sent: Sent): Promise<Entry> {
    const { entry } = await send(sent);
    recorder.add(entry);
    return entry;
  }

  return {
    pending: () => pending.size,
    oldestPendingMs: () => Math.min(Number.POSITIVE_INFINITY, ...[...pending].map(({ startMs }) => startMs)),
    call: (target, { apiKey, keyId, userId }) =>
      recorded({
        operation: 'call',
        target,
        userId,
        keyId,
        path: '/rpc',
        method: 'POST',
        headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
        body: callBody,
      }),
    identify: (target, userId) =>
      recorded({
        operation: 'identify',
        target,
        userId,
        path: '/users/me/id',
        method: 'GET',
        headers: signedIn(userId),
      }),
    list: (target, userId) =>
      recorded({
        operation: 'list',
        target,
        userId,
        path: '/users/me/api-keys',
        method: 'GET',
        headers: signedIn(userId),
      }),
    revoke: (target, userId, keyId) =>
      recorded({
        operation: 'revoke',
        target,
        userId,
        keyId,
        path: `/users/me/api-keys/${keyId}`,
        method: 'DELETE',
        headers: signedIn(userId),
      }),
    async mint(target, userId) {
      const { entry, body } = await send({
        operation: 'mint',
        target,
        userId,
        path: '/users/me/api-keys',
        method: 'POST',
        headers: { ...signedIn(userId), 'Content-Type': 'application/json' },
        body: '{"label":"cluster test"}',
      });
      const key = entry.status === 201 ? mintedKey(body, userId) : undefined;
      const complete = key === undefined ? entry : { ...entry, keyId: key.keyId };
      recorder.add(complete);
      return { entry: complete, key };
    },
  };
}

function seen(operation: Operation, { status, headers }: Response, body: unknown, text: string): Partial<Entry> {
  const retryAfter = headers.get('retry-after');
  const error = successful(operation, status, body) ? undefined : errorOf(body, text);
  return {
    status,
    hasRequestId: headers.has('x-request-id'),
    ...limitsIn(headers),
    ...(retryAfter === null ? {} : { retryAfter }),
    ...(error === undefined ? {} : { error }),
    ...(operation === 'list' && status === 200 ? { listed: listedIn(body) } : {}),
  };
}

function successful(operation: Operation, status: number, body: unknown): boolean {
  if (operation !== 'call') return status < 300;
  return status === 200 && isJsonObject(body) && body['id'] === 1 && body['result'] === '0x10';
}

function limitsIn(headers: Headers): { limits: RateLimits } | { malformedLimits: string } | undefined {
  const texts = ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));
  if (texts.every((text) => text === null)) return undefined;
  const [limit = Number.NaN, remaining = Number.NaN, resetSeconds = Number.NaN] = texts.map((text) =>
    text !== null && /^\d+$/.test(text) ? Number(text) : Number.NaN,
  );
  return Number.isNaN(limit + remaining + resetSeconds)
    ? { malformedLimits: texts.join(', ') }
    : { limits: { limit, remaining, resetSeconds } };
}

function errorOf(body: unknown, text: string): ErrorBody {
  if (isJsonObject(body)) {
    const { error, status } = body;
    if (typeof error === 'string' && typeof status === 'number') return { envelope: 'standard', status, label: error };
    if (body['jsonrpc'] === '2.0' && isJsonObject(error) && typeof error['code'] === 'number')
      return { envelope: 'rpc', code: error['code'], message: String(error['message']) };
  }
  return { envelope: 'foreign', text: text.slice(0, 200) };
}

function listedIn(body: unknown): ListedKey[] {
  const data = isJsonObject(body) ? body['data'] : undefined;
  if (!Array.isArray(data)) return [];
  return data.filter(isJsonObject).map((record) => ({
    keyId: String(record['keyId']),
    ...(typeof record['revokedAt'] === 'string' ? { revokedAt: record['revokedAt'] } : {}),
  }));
}

function mintedKey(body: unknown, userId: string): Key | undefined {
  if (!isJsonObject(body) || typeof body['apiKey'] !== 'string' || typeof body['keyId'] !== 'string') return undefined;
  return { apiKey: body['apiKey'], keyId: body['keyId'], userId };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof Error)) return 'broken';
  if (error.name === 'TimeoutError') return 'hung';
  return 'code' in error && (error.code === 'ConnectionRefused' || error.code === 'ECONNREFUSED')
    ? 'unreachable'
    : 'broken';
}

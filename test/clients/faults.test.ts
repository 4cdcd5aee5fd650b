/** The client during failures: what it retries, when it waits, how a call is aborted, and what it refuses to send. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { inspect } from 'node:util';
import { checkedFetch } from '../../apps/gateway/test/fixtures/checked-fetch.ts';
import { wellBehaved } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { createFlowgate, type Flowgate } from '../../client/src/create-flowgate.ts';
import { refusalOf } from '../../client/test/refusal-of.ts';

let gateway: RunningGateway;
let apiKey: string;

beforeAll(async () => {
  gateway = await startGateway();
  apiKey = (await gateway.mint('alice')).apiKey;
});
afterAll(() => gateway.stop());
afterEach(() => gateway.node.behave(wellBehaved));

const withKey = (retries?: number) =>
  createFlowgate({ url: gateway.url, fetch: checkedFetch, apiKey, retry: { retries } });

/** The node fails this many times, then works. Returns a function that counts the requests since then. */
function failing(times: number): () => number {
  let seen = 0;
  gateway.node.behave((body) => (++seen > times ? wellBehaved(body) : new Response('no', { status: 500 })));
  return () => seen;
}

/** A server in place of the gateway, for responses that the gateway gives only in failures. */
async function instead<T>(
  answer: (request: Request) => Response | Promise<Response>,
  use: (baseUrl: string) => Promise<T>,
): Promise<T> {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: answer });
  try {
    return await use(`http://127.0.0.1:${server.port}`);
  } finally {
    await server.stop(true);
  }
}

describe('repeating', () => {
  test('a GET with a 503 is retried automatically, at most twice, after Retry-After (contract/errors#envelopes)', async () => {
    const statuses: number[] = [];
    let seen = 0;
    const answer = () => {
      const status = statuses[seen++] ?? 200;
      return status === 200
        ? Response.json({ id: 'alice' })
        : new Response(null, { status, headers: { 'Retry-After': retryAfter } });
    };
    let retryAfter = '0';
    await instead(answer, async (baseUrl) => {
      const client = createFlowgate({ url: baseUrl, token: 'token' });
      const asked = async (given: readonly number[], call: () => Promise<unknown> = () => client.me()) => {
        statuses.splice(0, statuses.length, ...given);
        seen = 0;
        const outcome = await call().catch((error: { status?: number }) => error.status);
        return [outcome, seen];
      };
      expect(await asked([503, 503])).toEqual([{ id: 'alice' }, 3]);
      expect(await asked([503, 503, 503])).toEqual([503, 3]);
      for (const status of [408, 429, 500, 502, 504]) expect(await asked([status])).toEqual([status, 1]);
      // Only a GET, unless its caller disabled retries.
      expect(await asked([503], () => client.rpc('eth_chainId'))).toEqual([503, 1]);
      expect(await asked([503], () => client.apiKeys.mint({ label: 'one' }))).toEqual([503, 1]);
      expect(await asked([503], () => client.apiKeys.revoke('one'))).toEqual([503, 1]);
      expect(await asked([503], () => client.me({ retry: false }))).toEqual([503, 1]);
      // A Retry-After longer than the default timeout: within a longer timeout, and without one.
      retryAfter = '11';
      expect(await asked([503])).toEqual([503, 1]);
      retryAfter = '99999999';
      expect(await asked([503], () => client.me({ timeoutMs: Number.POSITIVE_INFINITY }))).toEqual([503, 1]);
    });
  });

  test('other calls are retried only on request', async () => {
    const seen = failing(1);
    expect(await refusalOf(withKey().rpc('eth_blockNumber'))).toMatchObject({ status: 502, kind: 'standard' });
    expect(seen()).toBe(1);
  });

  test('a read that failed temporarily is retried as often as requested, and no more', async () => {
    const once = failing(1);
    expect(await withKey(1).rpc('eth_blockNumber')).toBe('0x10');
    expect(once()).toBe(2);
    const long = failing(10);
    expect(await refusalOf(withKey().rpc('eth_blockNumber', [], { retry: { retries: 1 } }))).toMatchObject({
      status: 502,
    });
    expect(long()).toBe(2);
  });

  test('a transaction is never retried, alone, in a batch or as a method that the client does not know', async () => {
    const calls = [{ method: 'eth_chainId' }, { method: 'eth_sendRawTransaction', params: ['0x02'] }];
    const seen = failing(10);
    expect(await refusalOf(withKey(3).rpc('eth_sendRawTransaction', ['0x02']))).toMatchObject({ status: 502 });
    expect(seen()).toBe(1);
    expect(await refusalOf(withKey(3).rpc('eth_sendPrivateTransaction', ['0x02']))).toMatchObject({ status: 502 });
    expect(await refusalOf(withKey(3).rpc('eth_unheardOf', ['0x01']))).toMatchObject({ status: 502 });
    expect(seen()).toBe(3);
    await withKey(3)
      .rpcBatch(calls)
      .catch(() => undefined);
    // The read of the batch and its transaction, each once.
    expect(seen()).toBe(5);
  });

  test('creating a key is never retried, a revocation may be', async () => {
    const requests: string[] = [];
    const answer = (request: Request) => {
      requests.push(request.method);
      return new Response(null, { status: 503 });
    };
    await instead(answer, async (baseUrl) => {
      const { apiKeys } = createFlowgate({ url: baseUrl, token: 'token', retry: { retries: 1 } });
      expect(await refusalOf(apiKeys.mint({ label: 'one' }))).toMatchObject({ status: 503, kind: 'unreadable' });
      expect(await refusalOf(apiKeys.revoke('one'))).toMatchObject({ status: 503 });
    });
    expect(requests).toEqual(['POST', 'DELETE', 'DELETE']);
  });

  test('permanent failures are not retried', async () => {
    const seen = failing(10);
    expect(await refusalOf(withKey(3).rpc('eth_call\u0020'))).toMatchObject({ status: 403 });
    const stranger = createFlowgate({
      url: gateway.url,
      fetch: checkedFetch,
      apiKey: 'fk_none',
      retry: { retries: 3 },
    });
    expect(await refusalOf(stranger.rpc('eth_chainId'))).toMatchObject({ status: 403, code: -32001 });
    expect(await refusalOf(stranger.me())).toMatchObject({ status: 401 });
    expect(seen()).toBe(0);
  });

  test('the client waits for Retry-After, and gives up at once when the timeout is shorter (contract/limits)', async () => {
    const arrivals: number[] = [];
    let retryAfter = '1';
    const answer = () => {
      arrivals.push(performance.now());
      return arrivals.length === 2
        ? Response.json({ id: 'alice' })
        : new Response(null, { status: 429, headers: { 'Retry-After': retryAfter } });
    };
    await instead(answer, async (baseUrl) => {
      const client = createFlowgate({ url: baseUrl, token: 'token', retry: { retries: 5 } });
      expect(await client.me()).toEqual({ id: 'alice' });
      const [first = 0, second = 0] = arrivals;
      expect(second - first).toBeGreaterThanOrEqual(990);
      retryAfter = '60';
      expect(await refusalOf(client.me())).toMatchObject({ status: 429, retryAfter: 60 });
    });
    expect(arrivals).toHaveLength(3);
  });

  test('a Retry-After with a date counts from the response’s own date, for any local clock (RFC 9110, 10.2.3)', async () => {
    const date = 'Sat, 01 Jan 2000 00:00:00 GMT';
    const reported: Record<string, number | undefined> = {
      '0': 0,
      'Sat, 01 Jan 2000 00:00:07 GMT': 7,
      'Fri, 31 Dec 1999 00:00:00 GMT': 0,
      soon: undefined,
      '1.5': undefined,
      '-1': undefined,
      '99999999999999999999': undefined,
    };
    for (const [retryAfter, seconds] of Object.entries(reported)) {
      const answer = () => new Response(null, { status: 429, headers: { 'Retry-After': retryAfter, Date: date } });
      await instead(answer, async (baseUrl) => {
        const refusal = await refusalOf(createFlowgate({ url: baseUrl, apiKey }).me());
        expect([retryAfter, refusal.retryAfter]).toEqual([retryAfter, seconds]);
      });
    }
  });

  test('the client waits at most maxDelayMs, by default a minute and a half', async () => {
    let retryAfter = '91';
    let requests = 0;
    const answer = () => {
      requests += 1;
      return new Response(null, { status: 503, headers: { 'Retry-After': retryAfter } });
    };
    await instead(answer, async (url) => {
      const patient = { url, apiKey, timeoutMs: Number.POSITIVE_INFINITY };
      await refusalOf(createFlowgate({ ...patient, retry: { retries: 5 } }).me());
      retryAfter = '2';
      await refusalOf(createFlowgate({ ...patient, retry: { retries: 5, maxDelayMs: 1000 } }).me());
      await refusalOf(createFlowgate({ ...patient, retry: { maxDelayMs: 1000 } }).me());
      retryAfter = '0';
      await refusalOf(createFlowgate({ ...patient, retry: false }).me());
      expect(requests).toBe(4);
      await refusalOf(createFlowgate({ ...patient, retry: false }).me({ retry: { retries: 1 } }));
      expect(requests).toBe(6);
    });
  });

  test('a ProblemDetails says whether the request may be retried (contract/errors#problemdetails)', async () => {
    let requests = 0;
    const problem = { type: 'urn:svc:error:bad-gateway', title: 'Bad gateway', detail: 'a rule', instance: 'req_1' };
    const answer = () => {
      requests += 1;
      return Response.json({ ...problem, status: 502, retryable: false }, { status: 502 });
    };
    await instead(answer, async (baseUrl) => {
      const client = createFlowgate({ url: baseUrl, token: 'token', retry: { retries: 5 } });
      expect(await refusalOf(client.me())).toMatchObject({ status: 502, kind: 'problem', message: 'a rule' });
    });
    expect(requests).toBe(1);
  });
});

describe('aborting a call', () => {
  /** Never answers, but reports each arrival. */
  const silent = (arrived: () => void) => () => {
    arrived();
    return new Promise<Response>(() => {});
  };

  test('a timeout is a FlowgateError without response, for any number of retries', async () => {
    let arrivals = 0;
    await instead(
      silent(() => arrivals++),
      async (baseUrl) => {
        const client = createFlowgate({ url: baseUrl, apiKey, retry: { retries: 5 }, timeoutMs: 100 });
        const refusal = await refusalOf(client.me());
        expect(refusal).toMatchObject({ status: 0, kind: 'no-answer' });
        expect(refusal.message).toBe('Flowgate did not answer within 100 ms.');
      },
    );
    expect(arrivals).toBe(1);
  });

  test('an aborted call rejects with the signal’s reason: before it, during it, and while waiting to retry', async () => {
    const reason = new Error('the user left');
    const arrived = Promise.withResolvers<void>();
    const gone = AbortSignal.abort(reason);
    await expect(withKey().me({ signal: gone })).rejects.toBe(reason);

    const during = new AbortController();
    await instead(silent(arrived.resolve), async (baseUrl) => {
      const call = createFlowgate({ url: baseUrl, apiKey }).me({ signal: during.signal });
      await arrived.promise;
      during.abort(reason);
      await expect(call).rejects.toBe(reason);
    });

    const waiting = new AbortController();
    const busy = () => {
      // Real time: the client has its answer and waits to retry.
      setTimeout(() => waiting.abort(reason), 20);
      return new Response(null, { status: 503, headers: { 'Retry-After': '20' } });
    };
    await instead(busy, async (baseUrl) => {
      const client = createFlowgate({ url: baseUrl, apiKey, retry: { retries: 1 } });
      await expect(client.me({ signal: waiting.signal })).rejects.toBe(reason);
    });
  });

  test('an unreachable gateway is a FlowgateError without response, with its cause', async () => {
    const baseUrl = await instead(
      () => new Response(),
      (url) => Promise.resolve(url),
    );
    const refusal = await refusalOf(createFlowgate({ url: baseUrl, apiKey }).me());
    expect(refusal).toMatchObject({ status: 0, kind: 'no-answer', message: 'Flowgate could not be reached.' });
    expect(refusal.cause).toBeInstanceOf(Error);
  });
});

describe('protecting the credential', () => {
  test('the key is sent in the header and never in a URL (contract/credentials#in-a-path)', async () => {
    const seen: string[] = [];
    const answer = async (request: Request) => {
      seen.push(request.url, await request.text());
      expect(request.headers.get('x-api-key')).toBe(apiKey);
      return Response.json({ jsonrpc: '2.0', id: 1, result: '0x1' });
    };
    await instead(answer, async (baseUrl) => {
      const client = createFlowgate({ url: `${baseUrl}/behind/`, apiKey });
      await client.rpc('eth_chainId');
      expect(seen[0]).toBe(`${baseUrl}/behind/rpc`);
    });
    expect(seen.join()).not.toContain(apiKey);
  });

  test('a redirect is not followed, so that no other server receives the key', async () => {
    const strangers: Request[] = [];
    const takeAll = (request: Request) => {
      strangers.push(request);
      return Response.json({ id: 'mallory' });
    };
    const refusal = await instead(takeAll, (elsewhere) =>
      instead(
        () => Response.redirect(`${elsewhere}/users/me/id`, 307),
        (baseUrl) => refusalOf(createFlowgate({ url: baseUrl, apiKey }).me()),
      ),
    );
    expect(refusal).toMatchObject({ kind: 'unreadable', status: 307 });
    expect(strangers).toEqual([]);
  });

  test('a credential that no header can contain is refused without being printed', async () => {
    for (const bad of ['', 'fk_secret\n', 'fk_sec ret', 'fk_sécret']) {
      for (const credential of [{ apiKey: bad }, { token: bad }, { token: async () => bad }]) {
        const error: unknown = await createFlowgate({ url: gateway.url, fetch: checkedFetch, ...credential })
          .me()
          .catch((cause: unknown) => cause);
        expect(error).toBeInstanceOf(TypeError);
        expect(String(error)).not.toMatch(/fk_|cret/);
      }
    }
  });

  test('neither the client nor an error shows the key, in any form of output', async () => {
    for (const credential of [{ apiKey: 'fk_secret' }, { token: 'fk_secret' }, { token: () => 'fk_secret' }]) {
      const client = createFlowgate({ url: gateway.url, ...credential });
      const refusal = await refusalOf(client.me());
      expect(refusal.status).toBe(401);
      for (const shown of [client, client.apiKeys, client.flow.sessions, refusal])
        expect(JSON.stringify(shown) + inspect(shown, { depth: 9, showHidden: true })).not.toContain('fk_secret');
    }
  });

  test('two credentials, or an undefined one, are refused at once; without any none is sent', async () => {
    const wrong: readonly object[] = [{ apiKey, token: 'x' }, { apiKey: undefined }, { token: undefined }];
    // As a program without types may call it.
    const create: (options: never) => Flowgate = createFlowgate;
    for (const each of wrong) expect(() => create({ url: gateway.url, ...each } as never)).toThrow(TypeError);
    const stranger = createFlowgate({ url: gateway.url, fetch: checkedFetch });
    expect(await stranger.gateway.health()).toEqual({ status: 'ok' });
    expect(await stranger.gateway.readiness()).toMatchObject({ status: 'ready' });
    expect(await stranger.gateway.openApi()).toMatchObject({ openapi: expect.any(String) });
    expect(await refusalOf(stranger.me())).toMatchObject({ status: 401 });
  });

  test('a function of the caller that hangs ends with the call and is reported', async () => {
    const reasons: unknown[] = [];
    const token = ({ signal }: { readonly signal: AbortSignal }) => {
      signal.addEventListener('abort', () => reasons.push(signal.reason));
      return new Promise<string>(() => {});
    };
    const client = createFlowgate({ url: gateway.url, token, timeoutMs: 20 });
    const refusal = await refusalOf(client.me());
    expect(refusal).toMatchObject({ kind: 'no-answer' });
    expect(reasons).toEqual([refusal]);
  });

  test('an invalid address, or one with a credential, is refused at once', () => {
    for (const baseUrl of ['', '/rpc', 'ftp://127.0.0.1', 'http://user:pass@127.0.0.1', 'http://127.0.0.1/?key=1']) {
      expect(() => createFlowgate({ url: baseUrl, apiKey })).toThrow(TypeError);
    }
  });

  test('a response of another shape is unreadable, and its text is not in the error', async () => {
    for (const body of ['{"apiKey":"fk_secret"}', '[]', 'null', '<html>fk_secret</html>', '']) {
      await instead(
        () => new Response(body),
        async (baseUrl) => {
          const client = createFlowgate({ url: baseUrl, token: 'token' });
          for (const call of [
            () => client.me(),
            () => client.apiKeys.mint({ label: 'a' }),
            () => client.apiKeys.page(),
            () => client.rpc('a_b'),
          ]) {
            const refusal = await refusalOf(call());
            expect(refusal).toMatchObject({ status: 200, kind: 'unreadable' });
            expect(Bun.inspect(refusal)).not.toContain('fk_secret');
          }
        },
      );
    }
  });
});

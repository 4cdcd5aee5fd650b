/** `npm start` reuses its key while the key works, and never revokes a key that a user may have saved. */
import { afterEach, expect, test } from 'bun:test';
import { ensureKey } from './ensure-key.ts';

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** The two routes that a start calls; `valid` are the keys that it accepts, each with its owner. */
function gateway(valid: Readonly<Record<string, string>>, mint: () => Response) {
  const asked: string[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    routes: {
      '/users/me/id': (request) => {
        asked.push('id');
        const id = valid[request.headers.get('x-api-key') ?? ''];
        return id === undefined ? Response.json({ message: 'unknown' }, { status: 401 }) : Response.json({ id });
      },
    },
    fetch: (request) => {
      asked.push(`${request.method} ${new URL(request.url).pathname}`);
      return mint();
    },
  });
  stops.push(() => server.stop(true));
  return { asked, parts: { gatewayUrl: server.url.origin, token: 'token', user: 'alice' } };
}

const fresh = () => Response.json({ apiKey: 'fk_new' }, { status: 201 });

test('a valid key is reused and no key is minted', async () => {
  const { asked, parts } = gateway({ fk_old: 'alice' }, fresh);
  expect(await ensureKey({ ...parts, known: 'fk_old' })).toEqual({ kind: 'reused', apiKey: 'fk_old' });
  expect(asked).toEqual(['id']);
});

test('a missing key, an invalid key and a key of another user lead to a new key, and none is revoked', async () => {
  for (const known of [undefined, 'fk_dead', 'fk_bob']) {
    const { asked, parts } = gateway({ fk_bob: 'bob' }, fresh);
    expect(await ensureKey({ ...parts, known })).toEqual({ kind: 'minted', apiKey: 'fk_new' });
    expect(asked.filter((request) => request !== 'id')).toEqual(['POST /users/me/api-keys']);
  }
});

test('a user with ten keys gets no further one, and the result contains the gateway’s message (contract/keys#the-ten-keys)', async () => {
  const { parts } = gateway({}, () => Response.json({ message: 'ten are enough' }, { status: 409 }));
  expect(await ensureKey({ ...parts, known: undefined })).toEqual({ kind: 'none', message: 'ten are enough' });
});

test('an error of the gateway contains its status, so that the start can retry', async () => {
  const { parts } = gateway({}, () => Response.json({ message: 'busy' }, { status: 503 }));
  await expect(ensureKey({ ...parts, known: undefined })).rejects.toMatchObject({ status: 503 });
});

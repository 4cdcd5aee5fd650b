/** The key of `npm start` is kept while it works, and never made by revoking one that somebody may have saved. */
import { afterEach, expect, test } from 'bun:test';
import { keptKey } from './kept-key.ts';

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** The two routes that a start asks; `valid` are the keys that it accepts, each with its owner. */
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

test('a key that is still valid is kept, and nothing is minted', async () => {
  const { asked, parts } = gateway({ fk_old: 'alice' }, fresh);
  expect(await keptKey({ ...parts, known: 'fk_old' })).toEqual({ kind: 'kept', apiKey: 'fk_old' });
  expect(asked).toEqual(['id']);
});

test('without one, with a dead one and with somebody else’s a key is minted, and none revoked', async () => {
  for (const known of [undefined, 'fk_dead', 'fk_bob']) {
    const { asked, parts } = gateway({ fk_bob: 'bob' }, fresh);
    expect(await keptKey({ ...parts, known })).toEqual({ kind: 'minted', apiKey: 'fk_new' });
    expect(asked.filter((request) => request !== 'id')).toEqual(['POST /users/me/api-keys']);
  }
});

test('with ten keys of one’s own there is none, which the answer says (contract/keys#the-ten-keys)', async () => {
  const { parts } = gateway({}, () => Response.json({ message: 'ten are enough' }, { status: 409 }));
  expect(await keptKey({ ...parts, known: undefined })).toEqual({ kind: 'none', message: 'ten are enough' });
});

test('a gateway that cannot answer right now is told by its status, so that the start can ask again', async () => {
  const { parts } = gateway({}, () => Response.json({ message: 'busy' }, { status: 503 }));
  await expect(keptKey({ ...parts, known: undefined })).rejects.toMatchObject({ status: 503 });
});

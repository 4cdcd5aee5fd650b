/** Sign-ins in other tabs, and a gateway that refuses every token; without a browser. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import { User } from 'oidc-client-ts';

type Tokens = { readonly token: () => Promise<string>; readonly refused: (token: string) => void };
type Session = Tokens & { readonly state: () => { readonly kind: string }; readonly signInAgain: () => void };
type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Imported by path, so that the type check treats it as browser code. */
async function sessionOf(): Promise<Session> {
  const { openSession }: { openSession: (of: typeof config) => Promise<Session> } = await import(
    new URL('../../apps/console/src/session/session.ts', import.meta.url).pathname
  );
  return openSession(config);
}
async function fetchOf(session: Tokens): Promise<Fetch> {
  const { fetchWith }: { fetchWith: (of: Tokens, limits: { note: () => void }) => Fetch } = await import(
    new URL('../../apps/console/src/gateway/gateway-client.ts', import.meta.url).pathname
  );
  return fetchWith(session, { note: () => {} });
}

const names = ['sessionStorage', 'location', 'window'] as const;
const before = new Map(names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]));
const items = new Map<string, string>();
let visited: string[] = [];
const channels: BroadcastChannel[] = [];
const ownChannel = BroadcastChannel;

/** The globals of a browser tab. */
const tab = {
  sessionStorage: {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, text: string) => void items.set(name, text),
    removeItem: (name: string) => void items.delete(name),
    clear: () => items.clear(),
    key: (at: number) => [...items.keys()][at] ?? null,
    get length() {
      return items.size;
    },
  },
  location: { origin: 'http://console.test', pathname: '/console', assign: (to: string) => void visited.push(to) },
  window: { open: () => null },
};

beforeAll(() => {
  for (const name of names) Object.defineProperty(globalThis, name, { configurable: true, value: tab[name] });
  globalThis.BroadcastChannel = class extends ownChannel {
    constructor(name: string) {
      super(name);
      channels.push(this);
    }
  };
});
afterAll(() => {
  globalThis.BroadcastChannel = ownChannel;
  for (const channel of channels) channel.close();
  for (const [name, descriptor] of before)
    if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
    else Object.defineProperty(globalThis, name, descriptor);
});
beforeEach(() => {
  items.clear();
  visited = [];
});

const issuer = 'http://issuer.test';
const config = { issuer, clientId: 'console', scope: 'openid', publicUrl: 'http://console.test', version: '1' };
const userOf = (sub: string, expiresIn: number) =>
  new User({
    ...{ access_token: `token-of-${sub}-${expiresIn}`, token_type: 'Bearer', scope: 'openid' },
    profile: { sub, iss: issuer, aud: 'console', exp: 0, iat: 0 },
    expires_at: Math.floor(Date.now() / 1_000) + expiresIn,
  });

/** A tab with an expired token and stored data of its user. */
async function expiredTab(sub: string) {
  items.set(`oidc.user:${issuer}:console`, userOf(sub, -10).toStorageString());
  items.set('flowgate.draft.withdrawal', `"of ${sub}"`);
  const session = await sessionOf();
  const taken: string[] = [];
  void session.token().then((token) => taken.push(token));
  await until('it is expired', () => session.state().kind === 'expired');
  const elsewhere = new BroadcastChannel('flowgate-console');
  const signedInAs = (who: string) =>
    elsewhere.postMessage({ kind: 'signed-in', user: userOf(who, 600).toStorageString() });
  return { session, taken, signedInAs };
}

test('a tab accepts a renewed sign-in of the same user from another tab, and of no other user (contract/console#sign-in)', async () => {
  const { session, taken, signedInAs } = await expiredTab('ann');
  signedInAs('bob');
  signedInAs('ann');
  await until('ann is back', () => taken.length > 0);
  expect(taken).toEqual(['token-of-ann-600']);
  expect(session.state().kind).toBe('signed-in');
  expect(visited).toEqual([]);
  expect(items.get('flowgate.draft.withdrawal')).toBe('"of ann"');
});

test('after another user signs in, data of the previous user is removed and pending calls are not sent', async () => {
  const { session, taken, signedInAs } = await expiredTab('ann');
  session.signInAgain();
  signedInAs('bob');
  await until('the page begins again', () => visited.length > 0);
  expect([...items.keys()]).toEqual([`oidc.user:${issuer}:console`]);
  void session.token().then((token) => taken.push(token));
  await Bun.sleep(0);
  expect(taken).toEqual([]);
});

test('a request is repeated only once after a 401, even if the issuer provides more tokens', async () => {
  const asked: (string | null)[] = [];
  using server = Bun.serve({
    port: 0,
    fetch(request) {
      asked.push(request.headers.get('authorization'));
      return new Response(null, { status: 401 });
    },
  });
  let tokens = 0;
  const token = async () => {
    tokens += 1;
    return `token-${tokens}`;
  };
  const session = { refused: () => {}, token };
  const send = await fetchOf(session);
  const { status } = await send(server.url.href, { headers: { Authorization: 'Bearer token-0' } });
  expect(status).toBe(401);
  expect(asked).toEqual(['Bearer token-0', 'Bearer token-1']);
});

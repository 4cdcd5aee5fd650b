/**
 * Rotation, outages and floods: the result for tokens when the issuer changes its keys, is unavailable, or returns malformed answers
 * (contract/tokens#keys-of-the-issuer).
 */

import { afterEach, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import { createManualClock, type ManualClock } from '@flowgate/testing/manual-clock';
import { endAll } from '@flowgate/testing/raw-http1-server';
import { openSafeFetch } from '@flowgate/testing/safe-fetch';
import { until } from '@flowgate/testing/until';
import { type FakeIssuer, misbehaviors, startFakeIssuer } from '../../../test/fixtures/issuer.ts';
import { createSigningKey, signToken } from '../../../test/fixtures/signing-key.ts';
import { createTokenVerifier, type TokenVerifier, type TokenVerifierOptions } from './token-verifier.ts';

const hourMs = 3_600_000;
const forger = createSigningKey('ES256', 'forger');
let cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups) await cleanup();
  cleanups = [];
  endAll();
});

type Scene = {
  readonly issuer: FakeIssuer;
  readonly verifier: TokenVerifier;
  readonly clock: ManualClock;
  readonly logged: string[];
};

async function scene(options: Partial<TokenVerifierOptions> = {}): Promise<Scene> {
  const clock = createManualClock();
  const issuer = await startFakeIssuer({ now: clock.now });
  const logged: string[] = [];
  const note = (event: string, fields?: object) => logged.push(`${event} ${JSON.stringify(fields)}`);
  const verifier = createTokenVerifier({
    issuer: issuer.issuer,
    audience: issuer.audience,
    rolesClaim: 'roles',
    request: openSafeFetch().request,
    clock,
    log: { info: note, warn: note },
    // Long, so that no test fails on a loaded machine; tests about waiting set their own.
    fetchTimeoutMs: 10_000,
    patienceMs: 10_000,
    ...options,
  });
  cleanups.push(() => verifier.close(), issuer.close);
  return { issuer, verifier, clock, logged };
}

const kindOf = async (verifier: TokenVerifier, token: string) => (await verifier.verify(token)).kind;
const forged = ({ issuer }: FakeIssuer, kid: string, claims = {}) =>
  signToken({
    key: { ...forger, kid },
    payload: { iss: issuer, aud: 'flowgate', sub: 'user-1', exp: 1e11, ...claims },
  });
const unknownKid = ({ issuer }: FakeIssuer, at = 0) =>
  signToken({
    key: createSigningKey('ES256', `unknown-${at}`),
    payload: { iss: issuer, aud: 'flowgate', sub: 'user-1', exp: 1e11 },
  });

test('many concurrent first tokens make one fetch, and all are valid', async () => {
  const { issuer, verifier } = await scene();
  const kinds = await Promise.all(Array.from({ length: 200 }, () => kindOf(verifier, issuer.token())));
  expect(new Set(kinds)).toEqual(new Set(['valid']));
  expect(issuer.requests).toEqual({ discovery: 1, keys: 1, other: 0 });
});

test('keys are fetched at the start and cached: no token causes a request', async () => {
  const { issuer, verifier } = await scene();
  verifier.start();
  expect(await verifier.ready()).toBe(true);
  for (let nth = 0; nth < 50; nth++) expect(await kindOf(verifier, issuer.token({ sub: `user-${nth}` }))).toBe('valid');
  expect(issuer.requests.keys).toBe(1);
});

test('each document is fetched over a new connection: a reused one would mostly be closed before the next request', async () => {
  const { issuer, verifier } = await scene();
  const asked: (string | undefined)[] = [];
  issuer.behave((request, response) => {
    asked.push(request.headers.connection);
    response.end(JSON.stringify({ issuer: issuer.issuer, jwks_uri: issuer.jwksUri, keys: [issuer.key().jwk] }));
  });
  expect(await verifier.ready()).toBe(true);
  expect(asked).toEqual(['close', 'close']);
});

test('jwksUri replaces discovery', async () => {
  const { issuer } = await scene();
  const { verifier } = await scene({ issuer: issuer.issuer, jwksUri: issuer.jwksUri });
  expect(await kindOf(verifier, issuer.token())).toBe('valid');
  expect(issuer.requests).toEqual({ discovery: 0, keys: 1, other: 0 });
});

test('a token with a new kid is valid at once, even right after a fetch', async () => {
  const { issuer, verifier } = await scene();
  expect(await verifier.ready()).toBe(true);
  const old = issuer.token();
  issuer.rotate('keep the old one');
  expect(await kindOf(verifier, issuer.token())).toBe('valid');
  expect(await kindOf(verifier, old)).toBe('valid');
  expect(issuer.requests.keys).toBe(2);
});

test('a withdrawn key is invalid after the next fetch', async () => {
  const { issuer, verifier } = await scene();
  const old = issuer.token();
  expect(await kindOf(verifier, old)).toBe('valid');
  issuer.rotate();
  expect(await kindOf(verifier, issuer.token())).toBe('valid');
  expect(await kindOf(verifier, old)).toBe('invalid');
});

test('an unknown kid is invalid when the new set lacks it, and its old tokens cause a fetch only after 30 s', async () => {
  const { issuer, verifier, clock } = await scene();
  await verifier.ready();
  const old = forged(issuer, 'unknown', { iat: clock.now() / 1000 - 60 });
  for (let nth = 0; nth < 10; nth++) expect(await kindOf(verifier, old)).toBe('invalid');
  expect(issuer.requests.keys).toBe(2);
  clock.advance(29_999);
  expect(await kindOf(verifier, old)).toBe('invalid');
  expect(issuer.requests.keys).toBe(2);
  clock.advance(1);
  expect(await kindOf(verifier, old)).toBe('invalid');
  expect(issuer.requests.keys).toBe(3);
});

test('a forged token does not delay other fetches: a key that the issuer begins to use afterwards is found at once', async () => {
  const { issuer, verifier } = await scene();
  await verifier.ready();
  expect(await kindOf(verifier, unknownKid(issuer))).toBe('invalid');
  issuer.rotate();
  expect(await kindOf(verifier, issuer.token())).toBe('valid');
  expect(issuer.requests.keys).toBe(3);
});

test('a forged token with the next kid does not affect the issuer’s later tokens with that kid', async () => {
  const { issuer, verifier, clock } = await scene();
  await verifier.ready();
  for (const iat of [0, clock.now() / 1000 - 3_600])
    expect(await kindOf(verifier, forged(issuer, 'key-2', { iat }))).toBe('invalid');
  issuer.rotate();
  for (const iat of [undefined, Math.floor(clock.now() / 1000), Math.floor(clock.now() / 1000) - 29]) {
    const kind = await kindOf(verifier, issuer.token({ iat }));
    expect(kind).toBe('valid');
  }
});

test('a rotated key is unavailable, never invalid, until the next fetch may begin, and then valid', async () => {
  const { issuer, verifier, clock } = await scene();
  await verifier.ready();
  for (let at = 0; at < 3; at++) expect(await kindOf(verifier, unknownKid(issuer, at))).toBe('invalid');
  clock.advance(1);
  issuer.rotate();
  const fetches = issuer.requests.keys;
  for (let nth = 0; nth < 5; nth++) {
    expect(await kindOf(verifier, issuer.token())).toBe('unavailable');
    clock.advance(999);
  }
  expect(issuer.requests.keys).toBe(fetches);
  clock.advance(4);
  expect(await kindOf(verifier, issuer.token())).toBe('valid');
});

test('a token of a rotated key among a thousand forged tokens is valid, and the issuer is asked twice', async () => {
  const { issuer, verifier } = await scene();
  await verifier.ready();
  const forgeries = Array.from({ length: 1_000 }, (_, at) => forged(issuer, `made-up-${at}`));
  issuer.rotate();
  const flood = forgeries
    .map((token, at) => (at === 700 ? issuer.token() : token))
    .map((token) => kindOf(verifier, token));
  const kinds = await Promise.all(flood);
  expect(kinds[700]).toBe('valid');
  expect(new Set(kinds.toSpliced(700, 1))).toEqual(new Set(['invalid']));
  expect(issuer.requests.keys).toBeLessThanOrEqual(3);
});

test('during a continuous flood of forged tokens, a rotated key is never invalid, and valid within five seconds', async () => {
  const { issuer, verifier, clock } = await scene();
  await verifier.ready();
  let made = 0;
  for (let rotation = 0; rotation < 4; rotation++) {
    for (let nth = 0; nth < 40; nth++, clock.advance(100)) await kindOf(verifier, forged(issuer, `made-up-${made++}`));
    issuer.rotate();
    const seen: string[] = [];
    for (let seconds = 0; seconds <= 5 && seen.at(-1) !== 'valid'; seconds++) {
      seen.push(await kindOf(verifier, issuer.token()));
      for (let nth = 0; nth < 10; nth++, clock.advance(100))
        await kindOf(verifier, forged(issuer, `made-up-${made++}`));
    }
    expect(seen.at(-1)).toBe('valid');
    expect(seen).not.toContain('invalid');
  }
  // 4 s before and at most 6 s after each rotation: one fetch in 5 s, three to begin with, and the first keys.
  expect(issuer.requests.keys).toBeLessThanOrEqual(4 + (4 * 10) / 5);
});

test('an unknown kid is unavailable from a failed fetch until one succeeds, and fetches stay rate-limited', async () => {
  const { issuer, verifier, clock } = await scene();
  await verifier.ready();
  issuer.behave(misbehaviors.down);
  const flood = Array.from({ length: 100 }, (_, at) => unknownKid(issuer, at % 10));
  const kinds = await Promise.all(flood.map((token) => kindOf(verifier, token)));
  for (const token of flood.slice(0, 10)) kinds.push(await kindOf(verifier, token));
  expect(new Set(kinds)).toEqual(new Set(['unavailable']));
  expect(issuer.requests.discovery).toBe(2);
  expect(await kindOf(verifier, issuer.token())).toBe('valid');
  issuer.behave('well');
  clock.advance(30_000);
  expect(await kindOf(verifier, unknownKid(issuer))).toBe('invalid');
  expect(issuer.requests.discovery).toBe(3);
});

test('a flood of random kids makes three fetches and then one in 5 s, and valid tokens do not wait', async () => {
  const { issuer, verifier, clock } = await scene({ fetchTimeoutMs: 60_000, patienceMs: 60_000 });
  await verifier.ready();
  const waiting: (() => void)[] = [];
  issuer.behave((_request, response) => waiting.push(() => response.writeHead(503).end()));
  const arrived = issuer.nextRequest();
  const flood = Array.from({ length: 300 }, (_, at) => kindOf(verifier, unknownKid(issuer, at % 20)));
  await arrived;
  // The issuer has not answered yet: a token that waited for it would wait forever.
  expect(await kindOf(verifier, issuer.token())).toBe('valid');
  for (const answer of waiting) answer();
  expect(new Set(await Promise.all(flood))).toEqual(new Set(['unavailable']));
  expect(issuer.requests.discovery).toBe(2);
  issuer.behave('well');
  clock.advance(60_000);
  const before = issuer.requests.discovery;
  for (let at = 0; at < 80; at++) {
    await kindOf(verifier, unknownKid(issuer, at % 20));
    clock.advance(500);
  }
  expect(issuer.requests.discovery - before).toBe(3 + 40 / 5 - 1);
});

test('a fetch that began before the token arrived does not decide: the kid may be newer', async () => {
  const { issuer, verifier } = await scene({ fetchTimeoutMs: 60_000, patienceMs: 60_000 });
  const before = JSON.stringify({ keys: [issuer.key().jwk] });
  let answer = () => {};
  issuer.behave((_request, response) => {
    answer = () => response.end(before);
  });
  const { verifier: late } = await scene({
    issuer: issuer.issuer,
    jwksUri: issuer.jwksUri,
    fetchTimeoutMs: 60_000,
    patienceMs: 60_000,
  });
  verifier.close();
  const arrived = issuer.nextRequest();
  late.start();
  await arrived;
  issuer.rotate();
  issuer.behave('well');
  const verifications = Promise.all(Array.from({ length: 10 }, () => kindOf(late, issuer.token())));
  answer();
  expect(new Set(await verifications)).toEqual(new Set(['valid']));
  expect(issuer.requests.keys).toBe(2);
});

for (const [how, behavior] of Object.entries(misbehaviors)) {
  test(`with an issuer ${how}, tokens are unavailable without keys, and the last keys remain usable`, async () => {
    const { issuer, verifier, clock } = await scene({ fetchTimeoutMs: 150 });
    issuer.behave(behavior);
    expect(await verifier.ready()).toBe(false);
    expect(await kindOf(verifier, issuer.token())).toBe('unavailable');
    issuer.behave('well');
    await until('tokens are valid', async () => {
      const isValid = (await kindOf(verifier, issuer.token())) === 'valid';
      if (!isValid) clock.advance(1_000);
      return isValid;
    });
    expect(await verifier.ready()).toBe(true);
    issuer.behave(behavior);
    clock.advance(30_000);
    expect(await kindOf(verifier, unknownKid(issuer))).toBe('unavailable');
    expect(await kindOf(verifier, issuer.token())).toBe('valid');
    expect(await verifier.ready()).toBe(true);
  });
}

test('with no server at the issuer’s address, tokens are unavailable', async () => {
  const { issuer, verifier } = await scene();
  await issuer.close();
  cleanups.pop();
  expect(await kindOf(verifier, issuer.token())).toBe('unavailable');
});

test('redirects are not followed, neither from discovery nor from the keys', async () => {
  const target = await startFakeIssuer();
  cleanups.push(target.close);
  for (const status of [301, 302, 303, 307, 308])
    for (const options of [{}, { jwksUri: 'jwks' }]) {
      const { issuer, verifier } = await scene();
      const direct = createTokenVerifier({
        issuer: issuer.issuer,
        audience: 'flowgate',
        rolesClaim: 'roles',
        request: openSafeFetch().request,
        clock: createManualClock(),
        jwksUri: issuer.jwksUri,
      });
      cleanups.unshift(() => direct.close());
      issuer.behave((_request, response) => response.writeHead(status, { location: target.jwksUri }).end());
      expect(await kindOf('jwksUri' in options ? direct : verifier, issuer.token())).toBe('unavailable');
    }
  expect(target.requests).toEqual({ discovery: 0, keys: 0, other: 0 });
});

test('only status 200 is an answer, regardless of the body', async () => {
  for (const status of [201, 203, 206, 400, 404, 500, 503]) {
    const { issuer } = await scene();
    const { verifier } = await scene({ issuer: issuer.issuer, jwksUri: issuer.jwksUri });
    issuer.behave((_request, response) => response.writeHead(status).end(JSON.stringify({ keys: [issuer.key().jwk] })));
    expect(await kindOf(verifier, issuer.token())).toBe('unavailable');
  }
});

test('the size of an answer is limited after decompression (contract/bounds#sizes: an issuer document)', async () => {
  const { issuer, verifier } = await scene();
  const padded = (size: number) =>
    gzipSync(
      JSON.stringify({
        issuer: issuer.issuer,
        jwks_uri: issuer.jwksUri,
        keys: [issuer.key().jwk],
        padding: 'x'.repeat(size),
      }),
    );
  let answer = padded(1_100_000);
  issuer.behave((_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(answer));
  expect(await verifier.ready()).toBe(false);
  answer = padded(900_000);
  const { verifier: second } = await scene({ issuer: issuer.issuer });
  expect(await second.ready()).toBe(true);
});

test('a document in pieces of one byte is refused after 131,072 chunks and one more for every 16 bytes (contract/bounds#pieces)', async () => {
  const { issuer, verifier, logged } = await scene();
  let chunks = 0;
  issuer.behave((_request, response) => {
    response.socket?.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n');
    const text = JSON.stringify({
      ...{ issuer: issuer.issuer, jwks_uri: issuer.jwksUri, keys: [issuer.key().jwk] },
      padding: 'x'.repeat(chunks),
    });
    response.socket?.end(`${text.replace(/./g, '1\r\n$&\r\n')}0\r\n\r\n`);
  });
  chunks = 130_000;
  expect(await verifier.ready()).toBe(true);
  chunks = 150_000;
  const { verifier: second, logged: reasons } = await scene({ issuer: issuer.issuer, jwksUri: issuer.jwksUri });
  expect(await second.ready()).toBe(false);
  expect(logged.join()).not.toContain('unavailable');
  expect(reasons.join()).toContain('too many chunks');
});

test('a caller waits at most patienceMs for a hanging issuer, and the fetch continues for the next caller', async () => {
  const { issuer, verifier } = await scene({ fetchTimeoutMs: 60_000, patienceMs: 20 });
  let answer = () => {};
  issuer.behave((_request, response) => {
    answer = () => response.end(JSON.stringify({ keys: [issuer.key().jwk] }));
  });
  const { verifier: direct } = await scene({
    issuer: issuer.issuer,
    jwksUri: issuer.jwksUri,
    fetchTimeoutMs: 60_000,
    patienceMs: 20,
  });
  verifier.close();
  expect(await kindOf(direct, issuer.token())).toBe('unavailable');
  expect(await direct.ready()).toBe(false);
  answer();
  await until('the keys are ready', () => direct.ready());
  expect(await kindOf(direct, issuer.token())).toBe('valid');
  expect(issuer.requests.keys).toBe(1);
});

test('discovery must name exactly the configured issuer (OpenID Connect Discovery 4.3)', async () => {
  for (const other of [
    (issuer: string) => `${issuer}/`,
    (issuer: string) => issuer.replace('127.0.0.1', 'localhost'),
    () => undefined,
    () => null,
    () => 'https://evil.example',
  ]) {
    const { issuer, verifier } = await scene();
    issuer.describe({ issuer: other(issuer.issuer) });
    expect(await kindOf(verifier, issuer.token())).toBe('unavailable');
    expect(issuer.requests.keys).toBe(0);
  }
});

test('an issuer with a trailing slash is discovered at the same address, and its tokens contain the slash', async () => {
  const { issuer } = await scene();
  const slashed = `${issuer.issuer}/realms/main/`;
  const asked: (string | undefined)[] = [];
  issuer.behave((request, response) => {
    asked.push(request.url);
    response.end(JSON.stringify({ issuer: slashed, jwks_uri: issuer.jwksUri, keys: [issuer.key().jwk] }));
  });
  const { verifier } = await scene({ issuer: slashed });
  expect(await kindOf(verifier, issuer.token({ iss: slashed }))).toBe('valid');
  expect(await kindOf(verifier, issuer.token({ iss: slashed.slice(0, -1) }))).toBe('invalid');
  expect(asked).toEqual(['/realms/main/.well-known/openid-configuration', '/jwks']);
});

test('keys are fetched over http from loopback, and from other hosts only when allowed', async () => {
  for (const jwksUri of [
    'http://keys.example/jwks',
    'http://127.0.0.1.example/jwks',
    'ftp://127.0.0.1/jwks',
    'file:///etc/passwd',
    'http://user:secret@127.0.0.1/jwks',
    'data:application/json,{}',
    '/jwks',
    '',
    7,
    null,
    undefined,
  ]) {
    const { issuer, verifier, logged } = await scene();
    issuer.describe({ jwks_uri: jwksUri });
    expect(await kindOf(verifier, issuer.token())).toBe('unavailable');
    expect(logged.join()).toMatch(/neither https nor http on loopback|no jwks_uri/);
  }
  const { issuer, verifier, logged } = await scene({ allowInsecureIssuer: true });
  issuer.describe({ jwks_uri: 'http://keys.invalid/jwks' });
  expect(await kindOf(verifier, issuer.token())).toBe('unavailable');
  expect(logged.join()).toContain('could not be fetched');
});

test('the last keys work for 24 h while the issuer is unavailable, then tokens are unavailable until it recovers', async () => {
  const { issuer, verifier, clock } = await scene();
  await verifier.ready();
  issuer.behave(misbehaviors.down);
  clock.advance(24 * hourMs - 1);
  expect(await kindOf(verifier, issuer.token())).toBe('valid');
  clock.advance(1);
  expect(await kindOf(verifier, issuer.token())).toBe('unavailable');
  expect(await verifier.ready()).toBe(false);
  issuer.behave('well');
  clock.advance(1_000);
  expect(await verifier.ready()).toBe(true);
  expect(await kindOf(verifier, issuer.token())).toBe('valid');
});

test('the age of the keys does not follow the wall clock', async () => {
  const { issuer, verifier, clock } = await scene();
  await verifier.ready();
  issuer.behave(misbehaviors.down);
  clock.setWall(clock.now() + 1000 * hourMs);
  expect(await kindOf(verifier, issuer.token())).toBe('valid');
});

test('without keys the issuer is asked at most once a second, for any number of callers', async () => {
  const { issuer, verifier, clock } = await scene();
  issuer.behave(misbehaviors.down);
  for (let nth = 0; nth < 20; nth++) {
    expect(await verifier.ready()).toBe(false);
    expect(await kindOf(verifier, issuer.token())).toBe('unavailable');
  }
  expect(issuer.requests.discovery).toBe(1);
  clock.advance(1_000);
  expect(await verifier.ready()).toBe(false);
  expect(issuer.requests.discovery).toBe(2);
});

test('with unusable keys the gateway is not ready, and their tokens are invalid', async () => {
  const { issuer, verifier } = await scene();
  issuer.publish([{ ...issuer.key().jwk, use: 'enc' }]);
  expect(await verifier.ready()).toBe(false);
  expect(await kindOf(verifier, issuer.token())).toBe('invalid');
});

test('after close no fetch begins, and a fetch in flight is aborted', async () => {
  const { request, close } = openSafeFetch();
  const { issuer, verifier, clock, logged } = await scene({ request, fetchTimeoutMs: 60_000, patienceMs: 60_000 });
  issuer.behave(misbehaviors.hanging);
  const arrived = issuer.nextRequest();
  const pending = verifier.ready();
  await arrived;
  verifier.close();
  close();
  expect(await pending).toBe(false);
  clock.advance(hourMs);
  expect(await verifier.ready()).toBe(false);
  expect(issuer.requests.discovery).toBe(1);
  expect(logged).toEqual([]);
});

test('an outage is logged once, and so is its end, without a token or a body', async () => {
  const { issuer, verifier, clock, logged } = await scene();
  const outage = async () => {
    issuer.behave(misbehaviors['answering HTML']);
    for (let nth = 0; nth < 5; nth++) {
      await kindOf(verifier, unknownKid(issuer));
      clock.advance(30_000);
    }
    issuer.behave('well');
    await kindOf(verifier, unknownKid(issuer));
    clock.advance(30_000);
  };
  await outage();
  const once = [...logged];
  await outage();
  expect(logged).toEqual([...once, ...once]);
  expect(once).toEqual([
    'issuer-keys.unavailable {"reason":"identity provider unavailable: /.well-known/openid-configuration answered something other than a JSON object"}',
    'issuer-keys.fetched {"usableKeys":1}',
  ]);
});

/** Tokens that must be refused. Each is invalid, never unavailable and never an exception; malformed tokens are refused without asking the issuer. */

import { afterAll, describe, expect, test } from 'bun:test';
import { createHmac, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { endAll } from '@flowgate/testing/raw-http1-server';
import { openSafeFetch } from '@flowgate/testing/safe-fetch';
import fc from 'fast-check';
import { misbehaviors, startFakeIssuer } from '../../../test/fixtures/issuer.ts';
import {
  base64url,
  createSigningKey,
  signatureOf,
  signToken,
  type TokenOptions,
  tokenOfLength,
} from '../../../test/fixtures/signing-key.ts';
import { createTokenVerifier } from './token-verifier.ts';

const clock = createManualClock();
const nowSeconds = clock.now() / 1000;
const well = await startFakeIssuer();
const broken = await startFakeIssuer();
broken.behave(misbehaviors.down);

const rsa = createSigningKey('RS256', 'rsa');
const otherRsa = createSigningKey('RS256', 'other-rsa');
const ec = createSigningKey('ES256', 'ec');
const ed = createSigningKey('EdDSA', 'ed');
const p384 = createSigningKey('ES384', 'p384');
const weak = createSigningKey('RS256', 'weak', 1024);
const stranger = createSigningKey('RS256', 'stranger');
const forEncryption = createSigningKey('ES256', 'for-encryption');
const notVerifying = createSigningKey('ES256', 'not-verifying');
const leaked = createSigningKey('ES256', 'leaked');
const pssOnly = createSigningKey('PS256', 'pss-only');
const shared = Buffer.alloc(32, 7);
well.publish([
  rsa.jwk,
  otherRsa.jwk,
  ec.jwk,
  ed.jwk,
  p384.jwk,
  weak.jwk,
  pssOnly.jwk,
  { ...forEncryption.jwk, use: 'enc' },
  { ...notVerifying.jwk, use: undefined, key_ops: ['encrypt', 'sign'] },
  { ...leaked.privateKey.export({ format: 'jwk' }), kid: 'leaked', alg: 'ES256' },
  { kty: 'oct', kid: 'shared', k: base64url(shared), alg: 'HS256' },
]);

let hits = 0;
const bait = createServer((_request, response) => {
  hits += 1;
  response.end(JSON.stringify({ keys: [stranger.jwk] }));
});
await new Promise<void>((resolve) => bait.listen(0, '127.0.0.1', resolve));
const baitAddress = bait.address();
const baitUrl = `http://127.0.0.1:${typeof baitAddress === 'object' ? baitAddress?.port : ''}/jwks`;

const common = {
  audience: 'flowgate',
  rolesClaim: 'roles',
  clock,
  request: openSafeFetch().request,
  issuer: well.issuer,
  fetchTimeoutMs: 10_000,
  patienceMs: 10_000,
};
const verifier = createTokenVerifier(common);
await verifier.ready();
/** Accepts the same tokens, but has no keys and cannot fetch any. */
const keyless = createTokenVerifier({ ...common, jwksUri: broken.jwksUri });

afterAll(async () => {
  verifier.close();
  keyless.close();
  endAll();
  await Promise.all([well.close(), broken.close(), new Promise((resolve) => bait.close(resolve))]);
});

const good = { iss: well.issuer, aud: 'flowgate', sub: 'user-1', exp: nowSeconds + 600 };
const token = (deps: Partial<TokenOptions> = {}) => signToken({ key: ec, payload: good, ...deps });
const claims = (changed: Readonly<Record<string, unknown>>) => token({ payload: { ...good, ...changed } });
const claimsText = (members: string) => token({ payload: `${JSON.stringify(good).slice(0, -1)},${members}}` });
const header = (changed: Readonly<Record<string, unknown>>) => token({ header: changed });
const [goodHeader = '', goodPayload = '', goodSignature = ''] = token().split('.');
const rsaToken = token({ key: rsa });
const hmac = (secret: string | Buffer, kid: string) => {
  const input = `${base64url(JSON.stringify({ alg: 'HS256', kid }))}.${goodPayload}`;
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
};
const unsigned = (alg: unknown, signature = '') => `${base64url(JSON.stringify({ alg }))}.${goodPayload}.${signature}`;
/** The lowest bits of the last character belong to no byte in an 86-character signature: another encoding of the same bytes. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const strayBits = (part: string) => part.slice(0, -1) + alphabet.charAt(alphabet.indexOf(part.slice(-1)) + 1);
const tampered = (part: string) => base64url(Buffer.from(part, 'base64url').toString().replace('user-1', 'user-2'));
const withSlashOrPlus = () => {
  for (;;) {
    const made = token();
    if (/[-_][^.]*$/.test(made))
      return made.replace(/[^.]*$/, (part) => part.replaceAll('-', '+').replaceAll('_', '/'));
  }
};
const derSigned = () => {
  const input = `${goodHeader}.${goodPayload}`;
  return `${input}.${base64url(sign('sha256', Buffer.from(input), { key: ec.privateKey, dsaEncoding: 'der' }))}`;
};

/** Refused by their header and claims, without any key. */
const malformed: Readonly<Record<string, string>> = {
  'is empty': '',
  'is dots only': '..',
  'is an opaque word': 'not-a-token',
  'has one part': goodHeader,
  'has two parts': `${goodHeader}.${goodPayload}`,
  'has four parts': `${token()}.${goodSignature}`,
  'has five parts, like a JWE': `${goodHeader}.${goodPayload}.${goodSignature}.${goodSignature}.${goodSignature}`,
  'has an empty header': `.${goodPayload}.${goodSignature}`,
  'has an empty payload': `${goodHeader}..${goodSignature}`,
  'has an empty signature': `${goodHeader}.${goodPayload}.`,
  'is in JSON form': JSON.stringify({ payload: goodPayload, protected: goodHeader, signature: goodSignature }),
  'is 8 KiB and one character long (contract/bounds#sizes: a token)': tokenOfLength(8193, { key: ec, payload: good }),
  'is a whole token over 8 KiB': claims({ padding: 'x'.repeat(8192) }),
  'is a megabyte of dots': '.'.repeat(1_000_000),
  'begins with a blank': ` ${token()}`,
  'ends with a line feed': `${token()}\n`,
  'has a blank inside': token().replace('.', '. '),
  'has a line feed inside its payload': `${goodHeader}.${goodPayload.slice(0, 8)}\n${goodPayload.slice(8)}.${goodSignature}`,
  'has padding after its signature': `${token()}==`,
  'has padding after its header': `${goodHeader}=.${goodPayload}.${goodSignature}`,
  'uses the standard base64 alphabet': withSlashOrPlus(),
  'has stray bits at its end': `${goodHeader}.${goodPayload}.${strayBits(goodSignature)}`,
  'has a signature of an impossible length': `${token()}AAA`,
  'has characters outside ASCII': `${goodHeader}.${goodPayload}.${goodSignature.slice(0, -1)}é`,
  'has a NUL at its end': `${token()}\0`,
  'has a header that is not JSON': token({ header: '{alg:ES256}' }),
  'has a header that is an array': token({ header: '[{"alg":"ES256"}]' }),
  'has a header that is null': token({ header: 'null' }),
  'has a header with a byte order mark': token({ header: '\ufeff{"alg":"ES256","kid":"ec"}' }),
  'names its algorithm twice': token({ header: '{"alg":"none","kid":"ec","alg":"ES256"}' }),
  'names its algorithm twice, once escaped': token({ header: '{"alg":"ES256","kid":"ec","\\u0061lg":"ES256"}' }),
  'has a payload that is not JSON': token({ payload: 'sub=user-1' }),
  'has a payload that is a string': token({ payload: '"user-1"' }),
  'has a payload that is an array': token({ payload: [good] }),
  'has a payload in malformed UTF-8': token({
    payload: Buffer.from(JSON.stringify({ ...good, name: '\u00ff' }), 'latin1'),
  }),
  'has a payload of nothing but nesting': token({ payload: '['.repeat(5000) }),
  'has deep nesting next to its claims': claimsText(`"deep":${'['.repeat(5000)}`),
  'holds another token as its payload': token({ payload: token(), header: { cty: 'JWT' } }),
  'names its subject twice': claimsText('"sub":"user-2"'),
  'names its subject twice, once escaped': claimsText('"\\u0073ub":"user-2"'),
  'has no algorithm': header({ alg: undefined }),
  'says alg none, unsigned': unsigned('none'),
  'says alg none, signed': unsigned('none', goodSignature),
  'says alg None': unsigned('None', goodSignature),
  'says alg NONE': unsigned('NONE', goodSignature),
  'says alg nOnE': unsigned('nOnE', goodSignature),
  'says alg ""': unsigned('', goodSignature),
  'says alg es256': header({ alg: 'es256' }),
  'says alg with a blank': header({ alg: 'ES256 ' }),
  'says alg as an array': header({ alg: ['ES256'] }),
  'says alg null': header({ alg: null }),
  'says alg __proto__': header({ alg: '__proto__' }),
  'is HS256 with the RSA key as PEM for its secret': hmac(
    rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    'rsa',
  ),
  'is HS256 with the RSA key as JWK for its secret': hmac(JSON.stringify(rsa.jwk), 'rsa'),
  'is HS256 with an empty secret': hmac('', 'rsa'),
  'is HS256 with a symmetric key from the set': hmac(shared, 'shared'),
  'is RS1': header({ alg: 'RS1' }),
  'is ES384, which is not on the list, with a published key': token({ key: p384 }),
  'is an RSA-OAEP encryption header': header({ alg: 'RSA-OAEP', enc: 'A256GCM' }),
  'has crit with an unknown name': header({ crit: ['http://example.com/x'], 'http://example.com/x': 1 }),
  'has crit with a known name': header({ crit: ['exp'], exp: nowSeconds + 600 }),
  'has an empty crit': header({ crit: [] }),
  'has crit null': header({ crit: null }),
  'has b64 false in crit': header({ b64: false, crit: ['b64'] }),
  'has b64 false alone': header({ b64: false }),
  'has a kid that is a number': header({ kid: 1 }),
  'has a kid that is null': header({ kid: null }),
  'has a kid that is an array': header({ kid: ['ec'] }),
  'is a logout token': header({ typ: 'logout+jwt' }),
  'is a DPoP proof': header({ typ: 'dpop+jwt' }),
  'has a typ that is a number': header({ typ: 1 }),
  'has an empty typ': header({ typ: '' }),
  'expired 30 s ago': claims({ exp: nowSeconds - 30 }),
  'expired a year ago': claims({ exp: nowSeconds - 31_536_000 }),
  'expires at 0': claims({ exp: 0 }),
  'expires before 1970': claims({ exp: -1 }),
  'expires never': claims({ exp: undefined }),
  'expires beyond the year 9999': claims({ exp: 253_402_300_800 }),
  'expires at a string': claims({ exp: String(nowSeconds + 600) }),
  'expires at an ISO date': claims({ exp: '2099-01-01T00:00:00Z' }),
  'expires at null': claims({ exp: null }),
  'expires at true': claims({ exp: true }),
  'expires at an array': claims({ exp: [nowSeconds + 600] }),
  'expires at 1e400': token({ payload: JSON.stringify(good).replace(/"exp":\d+/, '"exp":1e400') }),
  'expires at NaN': token({ payload: JSON.stringify(good).replace(/"exp":\d+/, '"exp":NaN') }),
  'is valid only 31 s from now': claims({ nbf: nowSeconds + 31 }),
  'is valid only from 1e400': claimsText('"nbf":1e400'),
  'has an nbf that is a string': claims({ nbf: String(nowSeconds) }),
  'has an nbf that is null': claims({ nbf: null }),
  'has an iat that is a string': claims({ iat: 'now' }),
  'has no audience': claims({ aud: undefined }),
  'has another audience': claims({ aud: 'another' }),
  'has the audience in another case': claims({ aud: 'Flowgate' }),
  'has an audience that begins like ours': claims({ aud: 'flowgate-admin' }),
  'has an empty array of audiences': claims({ aud: [] }),
  'has an array of other audiences': claims({ aud: ['a', 'b'] }),
  'has our audience among other things than strings': claims({ aud: ['flowgate', 1] }),
  'has our audience nested': claims({ aud: [['flowgate']] }),
  'has our audience as a member': claims({ aud: { flowgate: true } }),
  'has no issuer': claims({ iss: undefined }),
  'has another issuer': claims({ iss: 'https://evil.example' }),
  'has our issuer with a slash': claims({ iss: `${well.issuer}/` }),
  'has our issuer in capitals': claims({ iss: well.issuer.toUpperCase() }),
  'has our issuer in an array': claims({ iss: [well.issuer] }),
  'has our issuer by another host name': claims({ iss: well.issuer.replace('127.0.0.1', 'localhost') }),
  'has no subject': claims({ sub: undefined }),
  'has an empty subject': claims({ sub: '' }),
  'has a subject that is a number': claims({ sub: 42 }),
  'has a subject that is null': claims({ sub: null }),
  'has a subject that is an array': claims({ sub: ['user-1'] }),
  'has a subject that is an object': claims({ sub: { id: 'user-1' } }),
  'has a subject of 256 characters': claims({ sub: 'x'.repeat(256) }),
  'has a subject with a NUL': claims({ sub: 'user-1\0' }),
  'has a subject with a line feed': claims({ sub: 'user-1\nadmin' }),
  'has a subject with a C1 control character': claims({ sub: 'user-1\u0085' }),
  'has a subject with a lone surrogate': token({ payload: JSON.stringify(good).replace('user-1', '\\ud800') }),
};

/** Well-formed tokens that only a key can refuse. */
const forged: Readonly<Record<string, string>> = {
  'has a truncated signature': `${goodHeader}.${goodPayload}.${base64url(Buffer.from(goodSignature, 'base64url').subarray(0, 63))}`,
  'has a signature of zeros': `${goodHeader}.${goodPayload}.${base64url(Buffer.alloc(64))}`,
  'has a signature of one byte': `${goodHeader}.${goodPayload}.AA`,
  'has a changed payload': `${goodHeader}.${tampered(goodPayload)}.${goodSignature}`,
  'has a changed header': `${base64url('{"alg":"ES256","kid":"ec"}')}.${goodPayload}.${goodSignature}`,
  'has the signature of another token': `${goodHeader}.${goodPayload}.${claims({ sub: 'user-2' }).split('.')[2]}`,
  'is RS256 with the kid of the EC key': token({ key: rsa, header: { kid: 'ec' } }),
  'is ES256 with the kid of the RSA key': header({ kid: 'rsa' }),
  'is EdDSA with the kid of the EC key': token({ key: ed, header: { kid: 'ec' } }),
  'is PS256 with a key whose alg is RS256': `${base64url('{"alg":"PS256","kid":"rsa"}')}.${goodPayload}.${signatureOf(`${base64url('{"alg":"PS256","kid":"rsa"}')}.${goodPayload}`, { ...rsa, algorithm: 'PS256' })}`,
  'is RS256 with a key whose alg is PS256': token({ key: { ...pssOnly, algorithm: 'RS256' } }),
  'says RS256 over a PSS signature': `${rsaToken.slice(0, rsaToken.lastIndexOf('.'))}.${signatureOf(rsaToken.slice(0, rsaToken.lastIndexOf('.')), { ...rsa, algorithm: 'PS256' })}`,
  "is a stranger's with a published kid": token({ key: stranger, header: { kid: 'rsa' } }),
  "is a stranger's with its own kid": token({ key: stranger }),
  "is a stranger's with its own key embedded": token({ key: stranger, header: { kid: 'rsa', jwk: stranger.jwk } }),
  'embeds its key and has no kid': token({ key: stranger, header: { kid: undefined, jwk: stranger.jwk } }),
  'points jku at its own keys': token({ key: stranger, header: { jku: baitUrl } }),
  'points jku at its own keys, with a published kid': token({ key: stranger, header: { kid: 'rsa', jku: baitUrl } }),
  'points x5u at its own certificate': token({ key: stranger, header: { x5u: baitUrl } }),
  'carries its own x5c': token({ key: stranger, header: { kid: 'rsa', x5c: ['MIIB'], x5t: 'AAAA' } }),
  'has its address for a kid': token({ key: stranger, header: { kid: baitUrl } }),
  'has a path for a kid': header({ kid: '../../../../dev/null' }),
  'has SQL for a kid': header({ kid: "' UNION SELECT 'key" }),
  'has a shell command for a kid': header({ kid: '| /bin/true' }),
  'has an empty kid': header({ kid: '' }),
  'has __proto__ for a kid': header({ kid: '__proto__' }),
  'has constructor for a kid': header({ kid: 'constructor' }),
  'has a kid in another case': header({ kid: 'EC' }),
  'has a kid of 4000 characters': header({ kid: 'k'.repeat(4000) }),
  'has no kid where two keys fit': token({ key: rsa, header: { kid: undefined, alg: 'RS256' } }),
  'has a DER signature': derSigned(),
  'is signed with a published RSA key of 1024 bits': token({ key: weak }),
  'is signed with a key published for encryption': token({ key: forEncryption }),
  'is signed with a key whose key_ops lack verify': token({ key: notVerifying }),
  'is signed with a key published with its private half': token({ key: leaked }),
};

describe('a token is invalid, never unavailable, and nothing is fetched for it (contract/tokens), when it', () => {
  for (const [what, hostile] of Object.entries(malformed))
    test(what, async () => {
      const before = well.requests.keys + broken.requests.keys;
      expect(await keyless.verify(hostile)).toEqual({ kind: 'invalid' });
      expect(await verifier.verify(hostile)).toEqual({ kind: 'invalid' });
      expect(well.requests.keys + broken.requests.keys).toBe(before);
    });
});

describe('a token is invalid (contract/tokens) when it', () => {
  for (const [what, hostile] of Object.entries(forged))
    test(what, async () => {
      expect(await verifier.verify(hostile)).toEqual({ kind: 'invalid' });
      expect(hits).toBe(0);
    });
});

test('the tokens that the hostile ones were made from are valid', async () => {
  for (const key of [ec, rsa, ed, pssOnly]) expect((await verifier.verify(token({ key }))).kind).toBe('valid');
});

test('one changed character anywhere makes a token invalid, and no text makes verification throw', async () => {
  const valid = token();
  await fc.assert(
    fc.asyncProperty(fc.nat(valid.length - 1), fc.constantFrom(...alphabet, '.', '=', ' '), async (at, character) => {
      const changed = valid.slice(0, at) + character + valid.slice(at + 1);
      expect((await verifier.verify(changed)).kind).toBe(changed === valid ? 'valid' : 'invalid');
    }),
    { numRuns: 300 },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.dictionary(fc.string(), fc.jsonValue()),
      async (extraHeader, extraClaims) => {
        const odd = signToken({
          key: stranger,
          header: { ...extraHeader, alg: 'RS256', kid: 'rsa' },
          payload: { ...good, ...extraClaims },
        });
        expect((await verifier.verify(odd)).kind).toBe('invalid');
      },
    ),
    { numRuns: 100 },
  );
});

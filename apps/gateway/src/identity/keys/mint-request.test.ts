import { expect, test } from 'bun:test';
import { type MintRequest, parseMintRequest } from './mint-request.ts';

const nowMs = Date.UTC(2027, 0, 1);
const label = 'a label';

const accepted: readonly (readonly [string, unknown, MintRequest])[] = [
  ['only a label', { label }, { label, scopes: ['rpc'] }],
  ['null for optional members', { label, scopes: null, expiresAt: null }, { label, scopes: ['rpc'] }],
  ['unknown members', { label, owner: 'mallory', keyId: 'x', constructor: 1 }, { label, scopes: ['rpc'] }],
  ['duplicate scopes, folded', { label, scopes: ['rpc', 'rpc'] }, { label, scopes: ['rpc'] }],
  ['ten scopes', { label, scopes: Array(10).fill('rpc') }, { label, scopes: ['rpc'] }],
  ['an expiry', { label, expiresAt: '2027-01-01T00:00:00.001Z' }, { label, scopes: ['rpc'], expiresAtMs: nowMs + 1 }],
  ['one character', { label: 'x' }, { label: 'x', scopes: ['rpc'] }],
  ['100 code points of 200 code units', { label: '🔑'.repeat(100) }, { label: '🔑'.repeat(100), scopes: ['rpc'] }],
  ['white space and any script', { label: ' \u00a0Schlüssel 鍵 ' }, { label: ' \u00a0Schlüssel 鍵 ', scopes: ['rpc'] }],
];

for (const [name, body, value] of accepted)
  test(`a mint with ${name} is accepted (contract/keys#mint; contract/conventions, contract/keys#mint)`, () => {
    expect(parseMintRequest(body, nowMs)).toEqual({ ok: true, value });
  });

const refusals: readonly (readonly [unknown, string])[] = [
  [undefined, 'body'],
  [null, 'body'],
  ['label', 'body'],
  [7, 'body'],
  [[{ label }], 'body'],
  [{}, 'label'],
  [{ label: null }, 'label'],
  [{ label: 7 }, 'label'],
  [{ label: ['x'] }, 'label'],
  [{ label: { toString: 'x' } }, 'label'],
  [{ label: '' }, 'label'],
  [{ label: 'x'.repeat(101) }, 'label'],
  [{ label: '🔑'.repeat(101) }, 'label'],
  [{ label: 'x'.repeat(1_000_000) }, 'label'],
  [{ label: 'a\nb' }, 'label'],
  [{ label: 'a\tb' }, 'label'],
  [{ label: '\u0000' }, 'label'],
  [{ label: 'a\u007fb' }, 'label'],
  [{ label: 'a\u0085b' }, 'label'],
  [{ label: 'a\ud800b' }, 'label'],
  ...[0xad, 0x61c, 0x200b, 0x200d, 0x202e, 0x2028, 0x2066, 0xfeff, 0xe0041].map(
    (point) => [{ label: `a${String.fromCodePoint(point)}b` }, 'label'] as const,
  ),
  [JSON.parse('{"__proto__": {"label": "x"}}'), 'label'],
  [Object.create({ label: 'inherited' }), 'label'],
  [{ label, scopes: 'rpc' }, 'scopes'],
  [{ label, scopes: [] }, 'scopes'],
  [{ label, scopes: Array(11).fill('rpc') }, 'scopes'],
  [{ label, scopes: ['rpc', 'admin'] }, 'scopes'],
  [{ label, scopes: ['RPC'] }, 'scopes'],
  [{ label, scopes: [null] }, 'scopes'],
  [{ label, scopes: [['rpc']] }, 'scopes'],
  [{ label, scopes: { 0: 'rpc', length: 1 } }, 'scopes'],
  [{ label, expiresAt: '' }, 'expiresAt'],
  [{ label, expiresAt: nowMs + 1 }, 'expiresAt'],
  [{ label, expiresAt: 'tomorrow' }, 'expiresAt'],
  [{ label, expiresAt: '2030-01-01' }, 'expiresAt'],
  [{ label, expiresAt: '2030-01-01T00:00:00' }, 'expiresAt'],
  [{ label, expiresAt: '2030-02-30T00:00:00Z' }, 'expiresAt'],
  [{ label, expiresAt: '2027-01-01T00:00:00Z' }, 'expiresAt'],
  [{ label, expiresAt: '2027-01-01T00:59:59+01:00' }, 'expiresAt'],
  [{ label, expiresAt: '1999-01-01T00:00:00Z' }, 'expiresAt'],
];

for (const [body, named] of refusals)
  test(`${JSON.stringify(body)?.slice(0, 60)} is a bad request whose detail names ${named} (contract/conventions)`, () => {
    const result = parseMintRequest(body, nowMs);
    expect(result).toMatchObject({ ok: false, reason: 'bad-request' });
    expect('detail' in result ? result.detail : '').toContain(named);
  });

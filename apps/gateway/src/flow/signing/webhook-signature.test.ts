import { expect, test } from 'bun:test';
import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { isWebhookSecret, newWebhookSecret, signWebhook } from './webhook-signature.ts';

const body = '{"type":"session_created","text":"é€😀"}';
const atMs = 1_800_000_000_999;

/** The formula of the specification, computed without its library. */
const expected = (key: Uint8Array, id: string, seconds: string) =>
  `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`, 'utf8').digest('base64')}`;

test('id, whole seconds and body are signed with the base64 key after whsec_ (Standard Webhooks)', () => {
  const key = randomBytes(24);
  const headers = signWebhook({ secret: `whsec_${key.toString('base64')}`, id: 'evt_1', atMs, body });
  expect(headers).toEqual({
    'webhook-id': 'evt_1',
    'webhook-timestamp': '1800000000',
    'webhook-signature': expected(key, 'evt_1', '1800000000'),
  });
});

test('a secret without whsec_ is used as its UTF-8 bytes (contract/events#webhooks)', () => {
  for (const secret of ['sixteen characters', 'c2l4dGVlbiBjaGFyYWN0ZXJz', 'clé secrète à moi 😀', 'WHSEC_AAAA']) {
    const headers = signWebhook({ secret, id: 'evt_1', atMs, body });
    expect(headers['webhook-signature']).toBe(expected(Buffer.from(secret, 'utf8'), 'evt_1', '1800000000'));
  }
});

test('the library verifies a signed message, and refuses a changed one', () => {
  const secret = newWebhookSecret(randomBytes);
  const headers = { ...signWebhook({ secret, id: 'evt_1', atMs: Date.now(), body }) };
  const receiver = new Webhook(secret);
  expect(receiver.verify(body, headers)).toEqual(JSON.parse(body));
  for (const changed of [
    { ...headers, 'webhook-id': 'evt_2' },
    { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) },
  ]) {
    expect(() => receiver.verify(body, changed)).toThrow();
  }
  expect(() => receiver.verify(`${body} `, headers)).toThrow();
  expect(() => new Webhook(newWebhookSecret(randomBytes)).verify(body, headers)).toThrow();
});

test('new secrets are 32 random bytes and never the same', () => {
  const secrets = Array.from({ length: 100 }, () => newWebhookSecret(randomBytes));
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(isWebhookSecret(secret)).toBeTrue();
  }
});

test('secrets that cannot sign are recognized', () => {
  for (const secret of ['', 'whsec_', 'whsec_?', 'whsec_abc', 'whsec_ab cd', 'whsec_é']) {
    expect([secret, isWebhookSecret(secret)]).toEqual([secret, false]);
    expect(() => signWebhook({ secret, id: 'a', atMs, body })).toThrow();
  }
  for (const secret of ['a', 'é', 'whsec_QUJD', 'whsec_QQ=='])
    expect([secret, isWebhookSecret(secret)]).toEqual([secret, true]);
});

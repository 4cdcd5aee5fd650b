/**
 * The webhook verifier with signatures of the gateway, of the specification's own library, and with forgeries
 * (contract/events#webhooks).
 */

import { describe, expect, test } from 'bun:test';
import { Webhook } from 'standardwebhooks';
import { signWebhook } from '../../apps/gateway/src/flow/signing/webhook-signature.ts';
import {
  type SignedRequest,
  type VerifyOptions,
  verifySignature,
  verifyWebhook,
  WebhookError,
  type WebhookProblem,
} from '../../client/src/index.ts';

const nowMs = Date.parse('2026-11-21T10:00:00.000Z');
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const event = {
  id: 'evt_01KAJ0Z6V2M8T4Q9R3WX5Y7ABC',
  type: 'session_completed',
  timestamp: '2026-11-21T10:00:00.000Z',
  data: { sessionId: 'ses_1', appId: 'acme/pay', version: '1.0.0', text: 'Zoë 🎉' },
};
const body = JSON.stringify(event);

function signed(with_: { secret?: string; atMs?: number; body?: string } = {}): SignedRequest & { body: string } {
  const message = { secret, id: 'evt_1', atMs: nowMs, body, ...with_ };
  return { headers: { ...signWebhook(message) }, body: message.body };
}

async function problemOf(request: SignedRequest, options: Partial<VerifyOptions> = {}): Promise<WebhookProblem> {
  const error = await verifyWebhook(request, { secret, nowMs, ...options }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof WebhookError) return error.problem;
  throw new Error(`expected a WebhookError, got ${String(error)}`);
}

describe('a delivery that the gateway signed', () => {
  test('is its event, with a secret of either kind, for any form of body and headers', async () => {
    for (const each of [secret, 'sixteen characters of text', 'ключ из шестнадцати', 'whsec-not-a-prefix-but-text']) {
      const request = signed({ secret: each });
      expect(await verifyWebhook(request, { secret: each, nowMs })).toEqual(event);
    }
    const { headers } = signed();
    const bytes = new TextEncoder().encode(body);
    const inside = new Uint8Array([1, 2, ...bytes, 3]).subarray(2, 2 + bytes.length);
    const forms: readonly SignedRequest[] = [
      { headers: new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)])), body },
      {
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])),
        body,
      },
      { headers, body: bytes },
      { headers, body: inside },
      { headers, body: bytes.slice().buffer },
    ];
    for (const request of forms) expect(await verifyWebhook(request, { secret, nowMs })).toEqual(event);
  });

  test('is verified with several signatures and with several secrets', async () => {
    const older = 'the secret from before';
    const { headers } = signed({ secret: older });
    const signature = String(Reflect.get(headers, 'webhook-signature'));
    const noise = `v1a,${'A'.repeat(88)} v1,AAAA v2,${signature.slice(3)} v1,=`;
    const several = { ...headers, 'webhook-signature': `${noise} ${signature}` };
    expect(await verifyWebhook({ headers: several, body }, { secret: [secret, older], nowMs })).toEqual(event);
    expect(await problemOf({ headers: several, body }, { secret: [secret] })).toBe('signature');
    // A signature with another version prefix does not count.
    expect(await problemOf({ headers: { ...headers, 'webhook-signature': `v2,${signature.slice(3)}` }, body })).toBe(
      'signature',
    );
  });

  test('can be a request to /renderStep: then the result is its text, its id and its time', async () => {
    const text = '{"protocolVersion":"1"}';
    expect(await verifySignature(signed({ body: text }), { secret, nowMs })).toEqual({
      id: 'evt_1',
      timestampSeconds: nowMs / 1000,
      text,
    });
    expect(await problemOf(signed({ body: text }))).toBe('body');
    expect(await problemOf(signed({ body: 'no JSON' }))).toBe('body');
  });

  test('is verified by the specification’s own library, and the reverse', async () => {
    const theirs = new Webhook(secret);
    const at = new Date();
    const headers = {
      'webhook-id': 'evt_2',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': theirs.sign('evt_2', at, body),
    };
    expect(await verifyWebhook({ headers, body }, { secret })).toEqual(event);
    const ours = signed({ atMs: at.getTime() });
    expect(theirs.verify(ours.body, Object.fromEntries(Object.entries({ ...ours.headers })))).toEqual(event);
  });
});

describe('a delivery that the gateway did not sign', () => {
  test('with a changed body, id, time or secret is refused', async () => {
    const request = signed();
    const changed = (name: string, value: string) => ({ headers: { ...request.headers, [name]: value }, body });
    expect(await problemOf({ ...request, body: `${body} ` })).toBe('signature');
    expect(await problemOf(changed('webhook-id', 'evt_2'))).toBe('signature');
    expect(await problemOf(changed('webhook-timestamp', String(nowMs / 1000 + 1)))).toBe('signature');
    expect(await problemOf(request, { secret: 'another secret' })).toBe('signature');
    // A whsec_ secret is its decoded bytes, not its letters, and the reverse.
    expect(await problemOf(signed({ secret: secret.slice('whsec_'.length) }))).toBe('signature');
  });

  test('a signature is valid for five minutes before and after its time, or for a configured time', async () => {
    const at = (offsetMs: number) => ({ nowMs: nowMs + offsetMs });
    for (const offset of [-300_000, 300_000]) {
      expect(await verifyWebhook(signed(), { secret, ...at(offset) })).toEqual(event);
      expect(await problemOf(signed(), at(offset + Math.sign(offset) * 1000))).toBe('timestamp');
    }
    expect(await problemOf(signed(), { ...at(11_000), toleranceSeconds: 10 })).toBe('timestamp');
    expect(await problemOf(signed(), { toleranceSeconds: Number.NaN })).toBe('timestamp');
  });

  test('a missing, duplicated or malformed header is refused before anything is computed', async () => {
    const { headers } = signed();
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      expect(await problemOf({ headers: { ...headers, [name]: undefined }, body })).toBe('headers');
      expect(await problemOf({ headers: { ...headers, [name]: '' }, body })).toBe('headers');
      expect(await problemOf({ headers: { ...headers, [name]: ['a', 'b'] }, body })).toBe('headers');
      expect(await problemOf({ headers: { ...headers, [name.toUpperCase()]: 'a' }, body })).toBe('headers');
    }
    for (const time of ['', '1.5', '-1', '0x10', ' 1', '1e3', '9'.repeat(13), 'NaN']) {
      expect(await problemOf({ headers: { ...headers, 'webhook-timestamp': time }, body })).toBe('headers');
    }
  });

  test('the cost of a header with many signatures is limited', async () => {
    const { headers } = signed();
    const right = String(Reflect.get(headers, 'webhook-signature'));
    const many = `${`v1,${'A'.repeat(43)}= `.repeat(16)}${right}`;
    expect(await problemOf({ headers: { ...headers, 'webhook-signature': many }, body })).toBe('signature');
  });

  test('an invalid secret is an error of the programmer, not of the request', async () => {
    for (const wrong of ['', 'whsec_', 'whsec_%%%%', 'whsec_AAA', []]) {
      await expect(verifyWebhook(signed(), { secret: wrong, nowMs })).rejects.toThrow(TypeError);
    }
  });
});

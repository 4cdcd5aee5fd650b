import { expect, test } from 'bun:test';
import { bytesOf } from '@flowgate/bytes/byte-content';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { refusalReasons, refusals } from '../../api/refusal.ts';
import { failureBody as failureContent } from './failure-body.ts';

/** The reply with its content as text. */
function failureBody(...given: Parameters<typeof failureContent>) {
  const { body, ...rest } = failureContent(...given);
  return { ...rest, body: typeof body === 'string' ? body : Buffer.from(bytesOf(body)).toString() };
}

const nowMs = 1_800_000_000_000;
const request = { maskedPath: '/x', requestId: 'req_1', nowMs: () => nowMs };

test.each([...refusalReasons])(
  '%s is a StandardError with exactly the contract’s members (contract/errors#envelopes)',
  (reason) => {
    const { status, contentType, body } = failureBody('rest', reason, request);
    const parsed = JSON.parse(body);
    expect(contentType).toBe('application/json');
    expect(Object.keys(parsed)).toEqual(['timestamp', 'status', 'error', 'message', 'path']);
    expect(parsed).toMatchObject({ timestamp: nowMs, status, error: refusals[reason].label, path: '/x' });
  },
);

const urns = [
  'bad-request',
  'unauthorized',
  'not-found',
  'conflict',
  'gone',
  'too-many-requests',
  'payment-required',
  'bad-gateway',
  'service-unavailable',
  'internal',
];

test.each([...refusalReasons])(
  '%s has ProblemDetails of a class of the contract (contract/errors#envelopes; contract/flow-apps)',
  (reason) => {
    const { status, contentType, body } = failureBody('flow', reason, request);
    const parsed = JSON.parse(body);
    expect(contentType).toBe('application/problem+json');
    expect(Object.keys(parsed)).toEqual(['type', 'title', 'status', 'detail', 'retryable', 'instance']);
    expect(urns.map((urn) => `urn:svc:error:${urn}`)).toContain(parsed.type);
    expect(parsed).toMatchObject({ status, instance: 'req_1' });
  },
);

test.each([
  ['credential-missing', 401, -32000, 'Missing credentials.'],
  ['credential-invalid', 403, -32001, 'Invalid credentials.'],
  ['credential-unverifiable', 500, -32002, 'Internal server error.'],
  ['parse-error', 400, -32700, 'Parse error.'],
  ['invalid-request', 400, -32600, 'Invalid request.'],
  ['method-blocked', 403, -32601, 'Method not allowed.'],
] as const)(
  '%s on JSON-RPC is %d / %d "%s" (contract/credentials#missing-and-invalid; contract/json-rpc#errors)',
  (reason, status, code, message) => {
    const answer = failureBody('rpc', reason, request, { rpcId: rangeOf('9007199254740993') });
    expect(answer).toEqual({
      status,
      contentType: 'application/json',
      body: `{"jsonrpc":"2.0","id":9007199254740993,"error":{"code":${code},"message":"${message}"}}`,
    });
  },
);

test.each([
  'not-found',
  'method-not-allowed',
  'too-large',
  'unsupported-media-type',
  'rate-limited',
  'bad-gateway',
  'unavailable',
  'not-permitted',
] as const)(
  '%s on a JSON-RPC path is a StandardError, because it concerns the route or the gateway (contract/json-rpc#errors)',
  (reason) => {
    expect(JSON.parse(failureBody('rpc', reason, request).body)).toHaveProperty('timestamp');
  },
);

test('a detail replaces the catalog’s sentence', () => {
  expect(JSON.parse(failureBody('rest', 'bad-request', request, { detail: 'label is required' }).body).message).toBe(
    'label is required',
  );
});

test('JSON-RPC errors of one reason differ only in id and data, regardless of earlier refusals', () => {
  for (const round of [1, 2])
    for (let nth = 0; nth < 600; nth++) {
      const data = `{"method":"m${nth}${'x'.repeat(nth % 300)}"}`;
      const { body } = failureBody('rpc', 'method-blocked', request, {
        rpcId: rangeOf(`${nth}${round}`),
        rpcData: data,
      });
      expect(body).toBe(
        `{"jsonrpc":"2.0","id":${nth}${round},"error":{"code":-32601,"message":"Method not allowed.","data":${data}}}`,
      );
    }
});

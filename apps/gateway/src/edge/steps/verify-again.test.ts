import { beforeEach, expect, test } from 'bun:test';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { anyRequest, contextDeps } from '../../../test/fixtures/context-deps.ts';
import type { Authentication } from '../../api/authenticator.ts';
import { RequestContext } from '../contexts/request-context.ts';
import { authenticate } from './authenticate.ts';
import { verifyAgain } from './verify-again.ts';

const valid: Authentication = { kind: 'caller', caller: { userId: 'alice', via: 'api-key', roles: [] } };
const clock = createManualClock();
let answer: Authentication | Promise<Authentication>;
let changes: number;
let asked: number;
const authenticator = {
  keyChanges: () => changes,
  authenticate: () => {
    asked += 1;
    return answer;
  },
};
let context: RequestContext;
beforeEach(() => {
  answer = valid;
  changes = 0;
  context = new RequestContext(anyRequest(), '/', 'r1', contextDeps({ clock }));
  context.credential = { kind: 'api-key', raw: 'fk_a' };
  authenticate({ authenticator }, context);
  asked = 0;
});

const again = () => verifyAgain({ authenticator, clock }, context);

test('the credential is not verified again when the body arrives with its head', () => {
  clock.advance(250);
  expect(again()).toBeUndefined();
  expect([asked, context.caller.userId]).toEqual([0, 'alice']);
});

for (const [what, happen] of [
  ['a body that took longer than 250 ms', () => clock.advance(251)],
  [
    'a key that changed meanwhile',
    () => {
      changes += 1;
    },
  ],
] as const) {
  test(`${what} has the credential verified again`, () => {
    happen();
    expect(again()).toBeUndefined();
    expect([asked, context.caller.userId]).toEqual([1, 'alice']);
  });

  test(`${what}: a credential that has become invalid is refused without charge`, async () => {
    happen();
    answer = Promise.resolve({ kind: 'refused', reason: 'credential-invalid' });
    expect(await again()).toEqual({ reason: 'credential-invalid' });
    expect(context.isAuthenticated).toBe(false);
  });
}

test('an address that has sent too many invalid credentials meanwhile receives that limit and the time to wait (contract/limits#invalid-credentials)', () => {
  clock.advance(251);
  const admission = { admitted: false, limit: 5, remaining: 0, resetAtMs: 1_800_000_009_000, retryAfterMs: 8_001 };
  answer = { kind: 'limited', admission };
  const refusal = again();
  if (refusal === undefined || refusal instanceof Promise) throw new Error('the request was not refused');
  expect(context.isAuthenticated).toBe(false);
  const { status, headers } = context.refuse(refusal.reason, refusal);
  expect([status, headers['Retry-After'], headers['X-RateLimit-Limit'], headers['X-RateLimit-Remaining']]).toEqual([
    429,
    '9',
    '5',
    '0',
  ]);
});

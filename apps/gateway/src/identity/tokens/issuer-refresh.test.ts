/** The background refresh: when the issuer is asked although no token needs it (contract/tokens#keys-of-the-issuer). */

import { afterAll, expect, test } from 'bun:test';
import { systemClock } from '@flowgate/base/clock';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { endAll } from '@flowgate/testing/raw-http1-server';
import { openSafeFetch } from '@flowgate/testing/safe-fetch';
import { misbehaviors, startFakeIssuer } from '../../../test/fixtures/issuer.ts';
import { IssuerKeys } from './issuer-keys.ts';

const issuer = await startFakeIssuer();
afterAll(issuer.close);
afterAll(endAll);
const { request } = openSafeFetch();
const algorithms = new Set(['ES256']);

test('keys are refreshed after 10 minutes, failed refreshes repeated after 30 s, and missing keys fetched every second', async () => {
  const clock = createManualClock();
  const keys = new IssuerKeys({
    request,
    issuer: issuer.issuer,
    jwksUri: issuer.jwksUri,
    algorithms,
    clock,
    fetchTimeoutMs: 10_000,
  });
  /** Whether a refresh was due; waits until it ends. */
  const isDue = async () => {
    const before = issuer.requests.keys;
    keys.refreshIfDue();
    keys.refreshIfDue();
    await keys.settled();
    expect(issuer.requests.keys - before).toBeLessThanOrEqual(1);
    return issuer.requests.keys > before;
  };
  issuer.behave(misbehaviors.down);
  expect(await isDue()).toBe(true);
  clock.advance(999);
  expect(await isDue()).toBe(false);
  clock.advance(1);
  issuer.behave('well');
  expect(await isDue()).toBe(true);
  clock.advance(599_999);
  expect(await isDue()).toBe(false);
  clock.advance(1);
  issuer.behave(misbehaviors.down);
  expect(await isDue()).toBe(true);
  clock.advance(29_999);
  expect(await isDue()).toBe(false);
  clock.advance(1);
  issuer.behave('well');
  issuer.rotate();
  expect(await isDue()).toBe(true);
  expect(keys.find('ES256', issuer.key().kid)).toBeInstanceOf(CryptoKey);
  expect(await keys.find('ES256', 'key-1')).toBe('invalid');
  keys.close();
});

test('an unknown kid is unavailable, not invalid, while a background refresh hangs', async () => {
  const clock = createManualClock();
  const keys = new IssuerKeys({
    request,
    issuer: issuer.issuer,
    algorithms,
    clock,
    fetchTimeoutMs: 60_000,
    patienceMs: 20,
  });
  keys.refreshIfDue();
  await keys.settled();
  issuer.behave(misbehaviors.hanging);
  clock.advance(600_000);
  keys.refreshIfDue();
  expect(await keys.find('ES256', 'unknown')).toBe('unavailable');
  expect(keys.find('ES256', issuer.key().kid)).toBeInstanceOf(CryptoKey);
  keys.close();
  issuer.behave('well');
});

test('starting asks the issuer at once', async () => {
  const keys = new IssuerKeys({
    request,
    issuer: issuer.issuer,
    algorithms,
    clock: createManualClock(),
    fetchTimeoutMs: 10_000,
  });
  keys.start();
  await keys.settled();
  expect(keys.find('ES256', issuer.key().kid)).toBeInstanceOf(CryptoKey);
  keys.close();
});

test('a started instance fetches the keys of an issuer that becomes available later', async () => {
  issuer.behave(misbehaviors.down);
  const keys = new IssuerKeys({
    request,
    issuer: issuer.issuer,
    algorithms,
    clock: systemClock,
    fetchTimeoutMs: 10_000,
  });
  const first = issuer.nextRequest();
  keys.start();
  keys.start();
  await first;
  issuer.behave('well');
  await issuer.nextRequest();
  await keys.settled();
  expect(keys.find('ES256', issuer.key().kid)).toBeInstanceOf(CryptoKey);
  keys.close();
});

/** Changes to a profile by other commands while a command runs or the issuer is called. */

import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemRandomBytes } from '@flowgate/base/random';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { createProfiles } from '../profiles/create-profiles.ts';
import type { Profile } from '../profiles/profile.ts';
import type { CliRuntime, Fetch } from '../runtime.ts';
import { presentToken } from './renew-sign-in.ts';

const home = mkdtempSync(join(tmpdir(), 'flowgate-renew-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const issuer = 'http://127.0.0.1:1';
const clock = createManualClock();
const [here, elsewhere] = ['http://127.0.0.1:2', 'http://127.0.0.1:3'];
const profiles = createProfiles({
  ...{ environment: {}, platform: 'linux', home, warn: () => {} },
  writes: () => ({ random: systemRandomBytes, now: clock.now() }),
});

const profileAt = (url: string, accessToken: string, lastsMs: number): Profile => ({
  url,
  signIn: { accessToken, refreshToken: 'old', issuer, clientId: 'cli', expiresAt: clock.now() + lastsMs },
});

/** The token of `work`, an expired profile at `here`; `meanwhile` runs while the issuer answers. */
function renewal(meanwhile: () => void): () => Promise<string> {
  const profile = profileAt(here, 'first', 0);
  profiles.write('work', profile);
  const fetch: Fetch = async (url) => {
    if (String(url).endsWith('/token')) {
      meanwhile();
      return Response.json({ access_token: 'renewed', token_type: 'bearer', expires_in: 600, refresh_token: 'new' });
    }
    return Response.json({ issuer, token_endpoint: `${issuer}/token` });
  };
  const runtime: CliRuntime = {
    ...{ environment: {}, platform: 'linux', home, clock, randomBytes: systemRandomBytes, fetch },
    stdin: { isTerminal: false, bytes: async function* () {} },
    stdout: { write: async () => {}, isTerminal: false, columns: undefined },
    stderr: { write: async () => {}, isTerminal: false, columns: undefined },
    signal: new AbortController().signal,
    openBrowser: async () => false,
  };
  return presentToken({ runtime, profiles, fetch }, 'work', profile);
}

test('a profile name that now belongs to another gateway gives no token', async () => {
  const token = renewal(() => {});
  profiles.write('work', profileAt(elsewhere, 'of another gateway', 600_000));
  await expect(token()).rejects.toThrow('your sign-in has ended');
});

test('a user who signs out during the renewal remains signed out', async () => {
  const token = renewal(() => profiles.write('work', { url: here }));
  await expect(token()).rejects.toThrow('your sign-in has ended');
  expect(profiles.read('work')).toEqual({ url: here });
});

test('a profile that is deleted during the renewal is not restored', async () => {
  const token = renewal(() => profiles.remove('work'));
  await expect(token()).rejects.toThrow('your sign-in has ended');
  expect(profiles.read('work')).toBeUndefined();
});

test('a key that is saved during the renewal remains', async () => {
  const apiKey = { keyId: 'one', apiKey: 'one.secret' };
  const token = renewal(() => profiles.write('work', { ...profileAt(here, 'first', 0), apiKey }));
  expect(await token()).toBe('renewed');
  expect(profiles.read('work')).toMatchObject({ apiKey, signIn: { accessToken: 'renewed', refreshToken: 'new' } });
});

test('a sign-in that completes during the renewal is not replaced', async () => {
  const token = renewal(() =>
    profiles.write('work', {
      url: here,
      signIn: { accessToken: 'second', refreshToken: 'second', issuer, clientId: 'cli' },
    }),
  );
  await token();
  expect(profiles.read('work')).toMatchObject({ signIn: { accessToken: 'second' } });
});

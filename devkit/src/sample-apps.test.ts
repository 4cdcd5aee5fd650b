/** What `npm start` runs of the sample apps: one port, one token for a chain, the same after a restart. */
import { expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChain } from './chain.ts';
import { devAccount, devTokenBalance } from './dev-token.ts';
import { keptDevToken } from './kept-dev-token.ts';
import { startSampleApps } from './sample-apps.ts';
import { signingSecretOf } from './signing-secret.ts';

test('the apps answer on one port, each below a path of its own, keep one token for a chain, and get another one with another chain', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'flowgate-apps-'));
  const signingSecret = (appId: string) => signingSecretOf('pepper', appId);
  const chains = [await startChain(), await startChain()] as const;
  const tokens: string[] = [];
  for (const { url: rpcUrl } of [chains[0], chains[0], chains[1]]) {
    const { publications, stop } = await startSampleApps({ rpcUrl, chainId: 31337, directory, signingSecret });
    const health = publications.map(async ({ version }) => (await fetch(`${version.baseUrl}/health`)).status);
    expect(await Promise.all(health)).toEqual([200, 200, 200]);
    expect(new Set(publications.map(({ version }) => version.signingSecret)).size).toBe(3);
    await stop();
    const token = readFileSync(join(directory, 'dev-token'), 'utf8').trim();
    const supply = await devTokenBalance({ rpcUrl, token: token as `0x${string}` }, devAccount(0).address);
    tokens.push(`${token} ${supply}`);
  }
  // The same account's first deployment is at the same address on every chain; it was made once on each.
  expect(new Set(tokens).size).toBe(1);
  for (const { stop } of chains) await stop();
  rmSync(directory, { recursive: true, force: true });
});

test('what stands at the kept address but is no development token is not taken for one', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'flowgate-token-'));
  const chain = await startChain();
  const file = join(directory, 'dev-token');
  await Bun.write(file, devAccount(0).address);
  expect(await keptDevToken(chain.url, file)).not.toBe(devAccount(0).address);
  await chain.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** The sample apps of `npm start`: one port, one token for each chain, unchanged after a restart. */
import { expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BridgeAppOptions } from './apps/bridge-place.ts';
import { startChain } from './chain.ts';
import { devAccount, devTokenBalance } from './dev-token.ts';
import { ensureDevToken } from './ensure-dev-token.ts';
import { startSampleApps } from './sample-apps.ts';
import { signingSecretOf } from './signing-secret.ts';

test('the apps answer on one port below separate paths, and each chain has one token', async () => {
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
  // The first deployment of an account has the same address on every chain; it happened once on each.
  expect(new Set(tokens).size).toBe(1);
  for (const { stop } of chains) await stop();
  rmSync(directory, { recursive: true, force: true });
});

test('a contract at the stored address that is not the development token is not used', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'flowgate-token-'));
  const chain = await startChain();
  const file = join(directory, 'dev-token');
  await Bun.write(file, devAccount(0).address);
  expect(await ensureDevToken(chain.url, file)).not.toBe(devAccount(0).address);
  await chain.stop();
  rmSync(directory, { recursive: true, force: true });
});

test('with a rollup the bridge app is served as well', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'flowgate-apps-'));
  const chain = await startChain();
  const address = devAccount(0).address;
  const names = ['portal', 'l1StandardBridge', 'l1CrossDomainMessenger', 'disputeGameFactory', 'l1Token', 'l2Token'];
  const contracts = Object.fromEntries(names.map((name) => [name, address])) as BridgeAppOptions['contracts'];
  const bridge = { l1: { ...chain, chainId: 900 }, l2: { ...chain, chainId: 901 }, contracts, confirmations: 3 };
  const signingSecret = (appId: string) => signingSecretOf('pepper', appId);
  const options = { rpcUrl: chain.url, chainId: 31337, directory, signingSecret };
  const ids = async (more: object) => {
    const { publications, stop } = await startSampleApps({ ...options, ...more });
    const health = await Promise.all(
      publications.map(async ({ version }) => (await fetch(`${version.baseUrl}/health`)).status),
    );
    await stop();
    return publications.map(({ app }, nth) => `${app.appId} ${health[nth]}`);
  };
  expect(await ids({})).not.toContain('flowgate/bridge 200');
  expect(await ids({ bridge })).toContain('flowgate/bridge 200');
  await chain.stop();
  rmSync(directory, { recursive: true, force: true });
});

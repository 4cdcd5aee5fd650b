/** `bun console/test/look.ts [DIRECTORY] [PATH…]`: screenshots of every page (or of these) with something on it, as the administrator, at 390, 780, 1,024 and 1,440 px in both schemes, to look at. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@flowgate/testing/until';
import { startBrowser } from '../../gateway/test/fixtures/browser.ts';
import { openConsole } from './console-browser.ts';
import { type ConsoleInstallation, startConsoleInstallation } from './console-installation.ts';
import { linkWallet } from './linked-wallet.ts';

const widths = [390, 780, 1_024, 1_440];
const height = 900;

const [directory = 'dist/screenshots', ...asked] = process.argv.slice(2);
mkdirSync(directory, { recursive: true });
const installation = await startConsoleInstallation({ bridge: process.env['LOOK_BRIDGE'] === '1' });
const browser = await startBrowser();
try {
  await fill(installation);
  const { page } = await openConsole(browser, installation.gatewayUrl, { user: 'admin' });
  await page.getByText('Administrator').first().waitFor();
  const links = "[...document.querySelectorAll('nav a')].map((link) => new URL(link.href).pathname)";
  const found = [...new Set(await page.evaluate<string[]>(links))];
  const more = ['/networks/ethereum/dev', '/apps/flowgate/token-transfer', '/admin/users', '/admin/users/alice'];
  const paths = asked.length > 0 ? asked : [...found, ...more.map((path) => `/console${path}`)];
  for (const path of paths) {
    await page.goto(installation.gatewayUrl + path, { waitUntil: 'networkidle' });
    for (const width of widths)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const name = `${path.replace(/^\/console\/?/, '').replaceAll('/', '-') || 'overview'}-${width}-${colorScheme}.png`;
        await page.screenshot({ path: join(directory, name), fullPage: path !== '/console/reference' });
      }
  }
} finally {
  await browser.close();
  await installation.stop();
}

/** Keys, calls, a policy, a node, a wallet and a session. */
async function fill({ clientOf, gatewayUrl, nodeProviderUrl }: ConsoleInstallation): Promise<void> {
  const client = await clientOf('admin');
  const { apiKey } = await client.apiKeys.mint({ label: 'indexer, production' });
  const { keyId } = await client.apiKeys.mint({ label: 'laptop' });
  await client.apiKeys.revoke(keyId);
  await (await clientOf('alice')).apiKeys.mint({ label: 'backend' });
  const resource = { kind: 'network', id: 'ethereum/other' } as const;
  await client.policies.create({ name: 'No other chain', effect: 'deny', subjects: ['*'], resource });
  const place = { dlt: 'ethereum', networkId: 'dev' };
  await client.nodes.register({
    ...place,
    url: `${nodeProviderUrl}/a-key-of-the-provider-0123456789`,
    label: 'archive',
  });
  await linkWallet(client, 4, 'main');
  await client.flow.sessions.start({ appId: 'flowgate/token-transfer' });
  for (const method of ['eth_blockNumber', 'eth_chainId', 'eth_gasPrice', 'eth_unknown'])
    await fetch(`${gatewayUrl}/rpc/${apiKey}`, {
      ...{ method: 'POST', headers: { 'Content-Type': 'application/json' } },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
    });
  await until('the calls are counted', async () => (await client.usage()).length > 0, 40_000, 500);
}

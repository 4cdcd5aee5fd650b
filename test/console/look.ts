/**
 * `bun test/console/look.ts [DIRECTORY] [NAME…]`: screenshots of every page and scene (or of the named ones) with
 * content, as the administrator, at 390, 780, 1,024 and 1,440 px in both color schemes. With `LOOK_BRIDGE=1` on the
 * local rollup.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@flowgate/testing/until';
import { startBrowser } from '../../apps/gateway/test/fixtures/browser.ts';
import { openConsole } from './console-browser.ts';
import { type ConsoleInstallation, startConsoleInstallation } from './console-installation.ts';
import { linkWallet } from './linked-wallet.ts';
import { type Scene, scenes } from './look-scenes.ts';

const widths = [390, 780, 1_024, 1_440];
const height = 900;

const [directory = 'dist/screenshots', ...asked] = process.argv.slice(2);
mkdirSync(directory, { recursive: true });
const installation = await startConsoleInstallation({ bridge: process.env['LOOK_BRIDGE'] === '1' });
const browser = await startBrowser();
try {
  await fill(installation);
  const { page } = await openConsole(browser, installation, { user: 'admin' });
  await page.getByText('Administrator').first().waitFor();
  const links = "[...document.querySelectorAll('nav a')].map((link) => new URL(link.href).pathname)";
  const found = [...new Set(await page.evaluate<string[]>(links))];
  const more = ['/networks/ethereum/dev', '/apps/flowgate/token-transfer', '/admin/users', '/admin/users/alice'];
  const paths = [...found, ...more.map((path) => `/console${path}`)];
  const plain = paths
    .map((path) => path.replace(/^\/console/, '') || '/')
    .map((path): Scene => ({ name: path.slice(1).replaceAll('/', '-') || 'overview', path }));
  for (const { name, path, arrange, isView = false } of [...plain, ...scenes])
    if (asked.length === 0 || asked.includes(name)) {
      // A new page per scene, because each has its own routes and wallets.
      const { page, context } = await openConsole(browser, installation, { user: 'admin' });
      context.setDefaultTimeout(10_000);
      await page.goto(`${installation.gatewayUrl}/console${path}`, { waitUntil: 'networkidle' });
      await Promise.resolve(arrange?.(page, installation)).catch((error: unknown) => console.error(name, error));
      for (const width of widths)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize({ width, height });
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          // Canvases are drawn again after a change of the scheme.
          await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
          const isWhole = !isView && name !== 'reference';
          await page.screenshot({ path: join(directory, `${name}-${width}-${colorScheme}.png`), fullPage: isWhole });
        }
      await context.close();
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

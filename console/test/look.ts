/** `bun console/test/look.ts [DIRECTORY] [PATH…]`: screenshots of every page (or of these), signed in as the administrator, at 1440 and 390 px in both schemes, to look at. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startBrowser } from '../../gateway/test/fixtures/browser.ts';
import { openConsole, phone, screen } from './console-browser.ts';
import { startConsoleInstallation } from './console-installation.ts';

const [directory = 'dist/screenshots', ...asked] = process.argv.slice(2);
mkdirSync(directory, { recursive: true });
const installation = await startConsoleInstallation({ bridge: process.env['LOOK_BRIDGE'] === '1' });
const browser = await startBrowser();
try {
  for (const [device, options] of Object.entries({ screen, phone })) {
    const { page } = await openConsole(browser, installation.gatewayUrl, { ...options, user: 'admin' });
    const links = "[...document.querySelectorAll('nav a')].map((link) => new URL(link.href).pathname)";
    const found = await page.evaluate<string[]>(links);
    for (const path of asked.length > 0 ? asked : [...new Set(found)]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.goto(installation.gatewayUrl + path, { waitUntil: 'networkidle' });
        const name = `${path.replace(/^\/console\/?/, '').replaceAll('/', '-') || 'overview'}-${device}-${colorScheme}.png`;
        await page.screenshot({ path: join(directory, name), fullPage: true });
      }
    }
    await page.context().close();
  }
} finally {
  await browser.close();
  await installation.stop();
}

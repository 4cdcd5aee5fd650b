/**
 * One browser and one installation of the console for all test files that can share them. `npm test` runs it during
 * these files. It prints the environment for them as one line of JSON, and ends when its standard input ends.
 */
import { readdirSync } from 'node:fs';
import { startBrowserServer } from '../../apps/gateway/test/fixtures/browser.ts';
import { startConsoleInstallation, usersOfFiles } from './console-installation.ts';

const ending = '.test.ts';
const files = readdirSync(import.meta.dir).filter((name) => name.endsWith(ending));
const moreUsers = usersOfFiles(files.map((name) => name.slice(0, -ending.length)));
const [installation, browser] = await Promise.all([startConsoleInstallation({ moreUsers }), startBrowserServer()]);
const { gatewayUrl, issuer, chainUrl, nodeProviderUrl } = installation;
const environment = {
  FLOWGATE_TEST_BROWSER: browser.wsEndpoint(),
  FLOWGATE_TEST_CONSOLE: JSON.stringify({ gatewayUrl, issuer, chainUrl, nodeProviderUrl }),
};
console.log(JSON.stringify(environment));
await Bun.stdin.text();
await browser.close();
await installation.stop();
process.exit(0);

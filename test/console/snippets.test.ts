/** Every snippet of the console runs as printed, in an empty folder outside the repository, against the gateway's default network. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { installedPackages } from '@flowgate/testing/installed-packages';
import { keySnippets } from '../../apps/console/src/pages/keys/key-snippets.ts';
import { shareSnippets } from '../../apps/console/src/pages/playground/share-snippets.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { createSimChain } from '../../apps/gateway/test/fixtures/sim-chain.ts';
import { type SimNode, startSimNode } from '../../apps/gateway/test/fixtures/sim-node.ts';

const installed = join(import.meta.dir, '../../node_modules');
/** npm installs a package here when its peer dependencies differ from the workspace's. */
const ownInstalled = join(import.meta.dir, '../../apps/console/node_modules');
const chain = createSimChain({ seed: 22, logs: 0 });
chain.mine(10);
let node: SimNode;
let gateway: RunningGateway;
let apiKey: string;
/** The directories of `cast` and of the programs of the repository's packages. */
let programs: readonly string[];
const folders: string[] = [];

beforeAll(async () => {
  const tools = await installedPackages(join(import.meta.dir, 'snippet-tools'));
  programs = [join(tools, 'node_modules/.bin'), join(installed, '.bin')];
  node = startSimNode(chain);
  const network = { dlt: 'ethereum', networkId: 'dev', name: "A chain's name", chainId: chain.chainId, default: true };
  gateway = await startGateway({
    config: { networks: [{ ...network, nodes: [{ nodeId: 'sim-1', url: node.httpUrl }] }] },
  });
  apiKey = (await gateway.mint('alice')).apiKey;
});
afterAll(async () => {
  await gateway?.stop();
  node?.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder with exactly the packages that the snippet's first line installs. */
function emptyFolder(code: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'flowgate-snippet-'));
  folders.push(folder);
  const [, packages = ''] = /^\/\/ npm install (.+)$/m.exec(code) ?? [];
  for (const name of packages.split(' ').filter((each) => each !== '')) {
    const place = join(folder, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    const own = join(ownInstalled, name);
    symlinkSync(existsSync(own) ? own : join(installed, name), place);
  }
  return folder;
}

/** Returns the snippet's output. JavaScript is saved as its comment says; other snippets run in a shell. */
async function run(code: string): Promise<string> {
  const folder = emptyFolder(code);
  const isScript = code.includes('node call.mjs');
  if (isScript) writeFileSync(join(folder, 'call.mjs'), code);
  const command = isScript ? ['node', 'call.mjs'] : ['bash', '-euc', code];
  const env = { ...process.env, PATH: [...programs, process.env['PATH']].join(delimiter), FLOWGATE_API_KEY: apiKey };
  const child = Bun.spawn(command, { cwd: folder, env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  const [exitCode, output, errors] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
  return output.trim();
}

const placeholder = { publicUrl: 'http://gateway.test', apiKey: 'fk_x', network: undefined };
const network = { dlt: 'ethereum', networkId: 'dev', name: "A chain's name", chainId: chain.chainId };

describe('snippets shown with a new key run', () => {
  for (const { id, title } of keySnippets(placeholder))
    for (const isDefault of [true, false])
      test(`${title}, on ${isDefault ? 'the default network' : 'a network by its name'}`, async () => {
        const target = { publicUrl: gateway.url, apiKey, network: { ...network, default: isDefault } };
        const snippet = keySnippets(target).find((each) => each.id === id);
        const printed = await run(snippet?.code ?? 'exit 1');
        const heightIn = id === 'curl' ? Number(JSON.parse(printed).result) : Number(printed.replace(/n$/, ''));
        expect(heightIn).toBe(10);
      });
});

describe('snippets of a playground call run', () => {
  const target = { dlt: network.dlt, networkId: network.networkId };
  const call = { target, method: 'eth_getBalance', params: [`0x${'0'.repeat(40)}`, 'latest'] };
  for (const { id, title } of shareSnippets('http://gateway.test', call))
    test(title, async () => {
      const snippet = shareSnippets(gateway.url, call).find((each) => each.id === id);
      expect(await run(snippet?.code ?? 'exit 1')).toContain('0x0');
    });
});

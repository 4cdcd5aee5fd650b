/** docs/operate: pages have a length limit, and `flowgate check-config` accepts their configuration snippets. */

import { afterAll, expect, test } from 'bun:test';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { certificateMaker } from '@flowgate/testing/certificates';
import { Glob } from 'bun';
import { parse, stringify } from 'yaml';
import { checkConfig } from '../../apps/gateway/src/config/check-config.ts';
import { configSchema } from '../../apps/gateway/src/config/config.ts';
import { readConfig } from '../../apps/gateway/src/config/config-file.ts';
import { isRecord, repository } from '../deploy/deploy-files.ts';
import { exampleEnvironment } from '../deploy/shipped-configs.ts';

const pages = [...new Glob('docs/operate/*.md').scanSync(repository)].sort();
const pagesWithSnippets = [...pages, ...new Glob('docs/tutorials/*.md').scanSync(repository)];
const certificates = certificateMaker();
afterAll(certificates.remove);

const textOf = (path: string) => Bun.file(join(repository, path)).text();

type Snippet = { readonly name: string; readonly values: Readonly<Record<string, unknown>> };

/**
 * YAML or JSON blocks whose keys are settings. A block of another program begins with a comment that names its file.
 */
async function snippetsOf(path: string): Promise<readonly Snippet[]> {
  const blocks = [...(await textOf(path)).matchAll(/^ *```(?:yaml|json)\n([\s\S]*?)^ *```/gm)];
  return blocks.flatMap(([, block = ''], at) => {
    const isOfAnother = /^ *# (?!flowgate\.yaml)\S+\.ya?ml/.test(block);
    const values: unknown = isOfAnother ? undefined : parse(block);
    if (!isRecord(values) || !Object.keys(values).some((key) => Object.hasOwn(configSchema.shape, key))) return [];
    return [{ name: `${path}, block ${at + 1}`, values }];
  });
}

/** Required settings that a snippet omits. */
const rest = {
  server: { publicUrl: 'https://rpc.example.com' },
  identity: { issuer: 'https://login.example.com', audience: 'https://rpc.example.com' },
  keys: { peppers: ['0123456789abcdef0123456789abcdef'] },
  networks: [
    { dlt: 'ethereum', networkId: 'mainnet', chainId: 1, nodes: [{ nodeId: 'own', url: 'http://127.0.0.1:8545' }] },
  ],
};

function completed(values: Readonly<Record<string, unknown>>): string {
  const whole = {
    ...rest,
    ...values,
    server: { ...rest.server, ...(isRecord(values['server']) ? values['server'] : {}) },
  };
  return stringify(whole).replaceAll('/etc/flowgate/tls', certificates.directory);
}

const environment = {
  ...exampleEnvironment,
  FLOWGATE_PEPPER_NEXT: 'ffeeddccbbaa99887766554433221100',
  BITCOIN_RPC: 'dXNlcjpwYXNzd29yZA==',
};

test('check-config accepts every configuration snippet, without warnings', async () => {
  const { certificate, key } = certificates.make('gateway');
  renameSync(certificate, join(certificates.directory, 'chain.pem'));
  renameSync(key, join(certificates.directory, 'key.pem'));
  const snippets = (await Promise.all(pagesWithSnippets.map(snippetsOf))).flat();
  expect(snippets.length).toBeGreaterThan(6);
  for (const { name, values } of snippets) {
    const verdict = await checkConfig(readConfig(completed(values), environment), async () => Date.now());
    expect([name, verdict]).toEqual([name, { problems: [], warnings: [] }]);
  }
});

test('a page has at most 1,500 words, and together they have at most 6,500', async () => {
  const counts = await Promise.all(
    pages.map(async (path) => [path, (await textOf(path)).split(/\s+/).length] as const),
  );
  expect(counts.map(([path]) => path.replace(/.*\/|\.md$/g, '')).sort()).toEqual([
    ...['configure', 'incidents', 'install', 'observe', 'scale', 'secure', 'upgrade'],
  ]);
  expect(counts.filter(([, words]) => words > 1_500)).toEqual([]);
  expect(counts.reduce((sum, [, words]) => sum + words, 0)).toBeLessThanOrEqual(6_500);
});

/** docs/configuration.md and the schema of config.ts describe the same keys, and the page's example is a valid file. */

import { expect, test } from 'bun:test';
import { parse } from 'yaml';
import { configSchema } from '../../src/config/config.ts';
import { readConfig } from '../../src/config/config-file.ts';
import { configKeys } from './config-keys.ts';
import { expectPart, page, table } from './document-part.ts';

const keys = configKeys(configSchema);
const environment = {
  FLOWGATE_PEPPER: 'a-pepper-for-tests-of-the-example',
  CLASSIFIER_SECRET: 'a-classifier-secret-of-the-example',
  ALCHEMY_KEY: 'provider-key-of-the-example',
};

async function example(): Promise<string> {
  const found = /```yaml\n# flowgate\.yaml[^\n]*\n([\s\S]*?)```/.exec(await page('configuration.md'))?.[1];
  if (found === undefined) throw new Error('configuration.md has no example file');
  return found;
}

/** Every key of a parsed file as a path, such as `networks[].nodes[].url`. */
function pathsIn(value: unknown, path: string): readonly string[] {
  if (Array.isArray(value))
    return [path, ...value.flatMap((item: unknown) => (isObject(item) ? pathsIn(item, `${path}[]`) : []))];
  if (!isObject(value) || path.endsWith('.headers')) return [path];
  return Object.entries(value).flatMap(([key, item]: [string, unknown]) =>
    pathsIn(item, path === '' ? key : `${path}.${key}`),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

test('the table of keys is the schema', async () => {
  const rows = keys.map(({ path, form, default: fallback, meaning }) => [`\`${path}\``, form, fallback, meaning]);
  await expectPart('configuration.md', 'keys', table(['Key', 'Form', 'Default', 'Meaning'], rows));
});

test('every key says in one sentence what it means', () => {
  expect(keys.filter(({ meaning }) => !/^[A-Z].*\.$/.test(meaning)).map(({ path }) => path)).toEqual([]);
  expect(keys.length).toBeGreaterThan(40);
});

test('the default providers on the page are those of the schema (contract/networks#providers)', async () => {
  const providers = configSchema.shape.providers.parse(undefined);
  const rows = providers.map(({ providerId, name, domains }) => [`\`${providerId}\``, name, domains.join(', ')]);
  await expectPart('configuration.md', 'providers', table(['`providerId`', '`name`', '`domains`'], rows));
});

test('the example holds every key and is valid as it stands', async () => {
  const text = await example();
  const loaded = readConfig(text, environment);
  expect(loaded.ok ? [] : loaded.problems).toEqual([]);
  expect([...new Set(pathsIn(parse(text), ''))].sort()).toEqual(keys.map(({ path }) => path).sort());
});

test("a default in the example is the schema's default", async () => {
  const given = readConfig(await example(), environment);
  const bare = readConfig('identity: { issuer: "https://id.example" }\nkeys: { peppers: ["p"] }', {});
  if (!given.ok || !bare.ok) throw new Error('both files are valid');
  for (const part of ['limits', 'outbound', 'log'] as const) {
    const { allowPrivateHosts: _, ...rest } = { allowPrivateHosts: [], ...given.config[part] };
    expect({ ...bare.config[part], ...rest }).toEqual({ ...bare.config[part] });
  }
});

test('what the page says is refused is refused, all of it at once and each with its path (contract/running#configuration)', () => {
  const loaded = readConfig(
    [
      'server: { port: 70000, prot: 1 }',
      'identity: { issuer: "http://id.example" }',
      'keys: { peppers: ["${NOT_SET}"] }',
      'networks: [{ dlt: ethereum, networkId: a, chainId: 1, nodes: [{ nodeId: n, url: "http://x" }], methods: { enable: ["admin_*"] } }]',
    ].join('\n'),
    {},
  );
  expect(loaded.ok ? [] : loaded.problems.map(({ path }) => path).sort()).toEqual([
    'identity.issuer',
    'keys.peppers[0]',
    'networks[0].methods.enable[0]',
    'server.port',
    'server.prot',
  ]);
});

/**
 * docs/reference/configuration.md is generated from the schema in config.ts, and deploy/example/flowgate.yaml contains
 * every setting.
 */

import { expect, test } from 'bun:test';
import { parse } from 'yaml';
import { configSchema } from '../../apps/gateway/src/config/config.ts';
import { readConfig } from '../../apps/gateway/src/config/config-file.ts';
import { deployText } from '../deploy/deploy-files.ts';
import { type ConfigKey, configKeys } from './config-keys.ts';
import { expectPage, referencePage, table, withLinks } from './doc-pages.ts';

const keys = configKeys(configSchema);
const environment = {
  FLOWGATE_PEPPER: 'a-pepper-for-tests-of-the-example',
  CLASSIFIER_SECRET: 'a-classifier-secret-of-the-example',
  ALCHEMY_KEY: 'provider-key-of-the-example',
};

function example(): Promise<string> {
  return deployText('example/flowgate.yaml');
}

/** Every key of a parsed file as a path, for example `networks[].nodes[].url`. */
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

/** Settings, grouped by top-level name. */
function sections(): readonly (readonly [string, readonly ConfigKey[]])[] {
  const names = [...new Set(keys.map(({ path }) => path.replace(/[.[].*/, '')))];
  return names.map((name) => [name, keys.filter(({ path }) => path.replace(/[.[].*/, '') === name)]);
}

function providerTable(): string {
  const providers = configSchema.shape.providers.parse(undefined);
  const rows = providers.map(({ providerId, name, domains }) => [`\`${providerId}\``, name, domains.join(', ')]);
  return `Default of \`providers\`:\n\n${table(['providerId', 'name', 'domains'], rows)}`;
}

test('the page is generated from the schema, with the default providers (contract/networks#providers)', async () => {
  const tables = sections().map(([name, settings]) => {
    const rows = settings.map(({ path, value, default: fallback, description }) => [
      ...[`\`${path}\``, value, fallback, withLinks(description)],
    ]);
    const settingTable = table(['Setting', 'Value', 'Default', 'Description'], rows);
    return `## ${name}\n\n${settingTable}${name === 'providers' ? `\n\n${providerTable()}` : ''}`;
  });
  const introduction = [
    'Settings of `flowgate.yaml`. `[]` means each entry of a list; *required* means that the file must contain the setting, *none* that it has no default.',
    '[Configure](../operate/configure.md) explains the file and environment variables, and [deploy/example/flowgate.yaml](../../deploy/example/flowgate.yaml) contains every setting.',
  ].join(' ');
  await expectPage('reference/configuration.md', referencePage('Configuration', introduction, ...tables));
});

test('every setting has one description in whole sentences', () => {
  expect(keys.filter(({ description }) => !/^[A-Z0-9`].*\.$/.test(description)).map(({ path }) => path)).toEqual([]);
  expect(keys.length).toBeGreaterThan(40);
});

test('the example contains every setting and is valid', async () => {
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

test('all problems of a file are reported at once, each with its path (contract/running#configuration)', () => {
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

/** The command line as a process: exit codes and output (contract/running#commands). */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificateMaker } from '@flowgate/testing/certificates';
import { stringify } from 'yaml';
import { commandNames, commandUsage, usage } from '../../apps/cli/src/command-usage.ts';
import { version } from '../../apps/gateway/package.json';
import { runFlowgate } from '../../apps/gateway/test/fixtures/run-flowgate.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'flowgate-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

let files = 0;
async function fileOf(config: unknown): Promise<string> {
  files += 1;
  const file = join(directory, `${files}.yaml`);
  await Bun.write(file, typeof config === 'string' ? config : stringify(config));
  return file;
}

const valid = {
  identity: { issuer: 'http://127.0.0.1:9000' },
  keys: { peppers: ['${FLOWGATE_PEPPER}'] },
  networks: [{ dlt: 'a', networkId: 'x', chainId: 1, nodes: [{ nodeId: 'n', url: 'http://127.0.0.1:8545' }] }],
};
const pepper = { FLOWGATE_PEPPER: 'p'.repeat(40) };

describe('check-config (contract/running#commands)', () => {
  test('a valid file is exit 0', async () => {
    const ended = await runFlowgate(['check-config', await fileOf(valid)], pepper);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
  });

  test('an invalid file is exit 2 and lists all its problems, each with its path, and no secret', async () => {
    const file = await fileOf({
      server: { port: 70_000, hots: 'x', trustedProxies: ['nonsense'] },
      identity: { issuer: 'ftp://x', audience: '' },
      keys: { peppers: ['top-secret-pepper'], cacheTtlSeconds: 61 },
      limits: { userPerMinute: 0, maxBatch: 'many' },
      networks: [
        { dlt: 'a', networkId: 'x', chainId: 0, nodes: [{ nodeId: 'n', url: 'nope://provider-secret' }] },
        { dlt: 'a', networkId: 'y', chainId: 1, nodes: [] },
        { ...valid.networks[0], networkId: 'z', methods: { enable: ['admin_*'] } },
      ],
      unknown: true,
    });
    for (const args of [
      ['check-config', file],
      ['start', '--config', file],
    ]) {
      const ended = await runFlowgate(args);
      expect(ended.code).toBe(2);
      const paths = ['server.port', 'server.hots', 'server.trustedProxies[0]', 'identity.issuer', 'identity.audience'];
      paths.push('keys.cacheTtlSeconds', 'limits.userPerMinute', 'limits.maxBatch', 'networks[0].chainId', 'unknown');
      paths.push('networks[0].nodes[0].url', 'networks[1].nodes', 'networks[2].methods.enable[0]');
      const missing = paths.filter((path) => !ended.stderr.includes(`${path}: `));
      expect(missing).toEqual([]);
      expect(ended.stderr).not.toContain('top-secret-pepper');
      expect(ended.stderr).not.toContain('provider-secret');
    }
  });

  test('an unset environment variable is named, and all of them are', async () => {
    const file = await fileOf({ ...valid, identity: { issuer: '${ISSUER}', audience: '${AUDIENCE:-flowgate}' } });
    const ended = await runFlowgate(['check-config', file]);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('ISSUER');
    expect(ended.stderr).toContain('FLOWGATE_PEPPER');
    expect(ended.stderr).not.toContain('AUDIENCE');
  });

  for (const text of ['', '[]', 'a: [', 'a: 1\na: 2', '\t', 'null', '"text"'])
    test(`the file ${JSON.stringify(text)} is exit 2`, async () => {
      expect((await runFlowgate(['check-config', await fileOf(text)])).code).toBe(2);
    });

  test('an unreadable file is exit 2 with its path, its role and the reason', async () => {
    const absent = join(directory, 'absent.yaml');
    const ended = await runFlowgate(['check-config', absent]);
    expect([ended.code, ended.stderr]).toEqual([
      2,
      `flowgate: cannot read the configuration ${absent}: there is no such file\n`,
    ]);
    const folder = await runFlowgate(['start', '--config', directory]);
    expect([folder.code, folder.stderr]).toEqual([2, expect.stringContaining(`${directory}: it is a directory`)]);
    const notText = join(directory, 'utf-16.yaml');
    await Bun.write(notText, Buffer.from('\ufeffkeys: {}', 'utf16le'));
    // Reading stops at a limit, in case the path is a device or, by mistake, a log.
    for (const [file, why] of [
      [notText, 'it is no text in UTF-8'],
      ['/dev/zero', 'it has more than 4194304 bytes'],
    ])
      expect((await runFlowgate(['check-config', `${file}`])).stderr).toBe(
        `flowgate: cannot read the configuration ${file}: ${why}\n`,
      );
  });

  test('an unsafe setting is refused, and a questionable one causes a warning', async () => {
    const unsafe = await runFlowgate(['check-config', await fileOf(valid)], { FLOWGATE_PEPPER: 'short' });
    expect([unsafe.code, unsafe.stderr]).toEqual([
      2,
      expect.stringContaining('keys.peppers[0]: must have at least 32'),
    ]);
    const unwise = await runFlowgate(['check-config', await fileOf({ ...valid, networks: [] })], pepper);
    expect([unwise.code, unwise.stderr]).toEqual([0, expect.stringContaining('has 1 warning:\n  networks: is empty')]);
  });

  test('modules of embedded apps are loaded, and refused when they export no app', async () => {
    const module = join(directory, 'no-app.ts');
    await Bun.write(module, 'setInterval(() => {}, 1000);\nexport default { appId: "x" };\n');
    const flow = { embeddedApps: [module] };
    const broken = await runFlowgate(['check-config', await fileOf({ ...valid, flow })], pepper);
    expect([broken.code, broken.stderr]).toEqual([2, expect.stringContaining('flow.embeddedApps[0]: ')]);
    const absent = { embeddedApps: ['./absent.ts'] };
    const missing = await runFlowgate(['check-config', await fileOf({ ...valid, flow: absent })], pepper);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('there is no module ./absent.ts')]);
  });
});

describe('usage (contract/running#commands)', () => {
  test('--help and --version print to standard output and exit with 0', async () => {
    const [help, reported, json] = await Promise.all([
      runFlowgate(['--help']),
      runFlowgate(['--version']),
      runFlowgate(['--version', '--json']),
    ]);
    expect([help.code, help.stderr, help.stdout]).toEqual([0, '', usage]);
    expect([reported.code, reported.stdout]).toEqual([0, `${version}\n`]);
    expect([json.code, JSON.parse(json.stdout)]).toEqual([0, { version }]);
  });

  test('each command describes itself and each of its options', async () => {
    for (const name of commandNames) {
      const ended = await runFlowgate([name, '--help']);
      expect([name, ended]).toEqual([name, { code: 0, stdout: commandUsage[name], stderr: '' }]);
      expect(usage).toContain(`flowgate ${name} `);
    }
  });

  for (const args of [[], ['fly'], ['start'], ['check-config'], ['start', '--port', '1'], ['check-config', 'a', 'b']])
    test(`flowgate ${args.join(' ')} is exit 2 with one line that names the help`, async () => {
      const ended = await runFlowgate(args);
      expect([ended.code, ended.stdout]).toEqual([2, '']);
      expect(ended.stderr).toMatch(/^flowgate: [^\n]+ \(flowgate (start |check-config )?--help\)\n$/);
    });
});

describe('healthcheck (contract/running#readiness)', () => {
  const certificates = certificateMaker();
  afterAll(() => certificates.remove());
  const checked = async (server: object) => runFlowgate(['healthcheck', await fileOf({ ...valid, server })], pepper);
  const serving = (answer: () => Response, more: object = {}) =>
    Bun.serve({
      ...{ hostname: '127.0.0.1', port: 0, ...more },
      fetch: ({ url }) => (new URL(url).pathname === '/healthz' ? answer() : new Response('', { status: 404 })),
    });

  test('healthcheck calls the configured port, with TLS if a certificate is configured, and reports problems', async () => {
    const { certificate, key } = certificates.make('localhost');
    const tls = { certificate, key };
    using plain = serving(() => Response.json({ status: 'ok' }));
    using secure = serving(() => Response.json({ status: 'ok' }), {
      tls: { cert: Bun.file(certificate), key: Bun.file(key) },
    });
    using failing = serving(() => new Response('', { status: 503 }));
    expect(await checked({ port: plain.port })).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await checked({ host: '0.0.0.0', port: secure.port, tls })).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await checked({ port: secure.port })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('does not answer'),
    });
    const url = `http://127.0.0.1:${failing.port}/healthz`;
    expect(await checked({ port: failing.port })).toMatchObject({ code: 1, stderr: `flowgate: ${url} answers 503\n` });
    expect(await checked({ port: 0 })).toMatchObject({ code: 1, stderr: expect.stringContaining('server.port is 0') });
    expect(await checked({ port: 70_000 })).toMatchObject({ code: 2 });
  });
});

describe('--json (contract/running#commands)', () => {
  test('check-config prints one object, and its exit code is the same as without --json', async () => {
    const file = await fileOf(valid);
    const good = await runFlowgate(['check-config', file, '--json'], pepper);
    expect([good.code, good.stderr]).toEqual([0, '']);
    expect(JSON.parse(good.stdout)).toMatchObject({ file, valid: true, problems: [] });

    const invalid = await fileOf({ ...valid, server: { port: 70_000 }, unknown: true });
    const bad = await runFlowgate(['check-config', '--json', invalid], pepper);
    expect([bad.code, bad.stderr]).toEqual([2, '']);
    expect(JSON.parse(bad.stdout)).toMatchObject({ file: invalid, valid: false });
    expect(JSON.parse(bad.stdout).problems).toEqual([
      { path: 'server.port', message: expect.any(String) },
      { path: 'unknown', message: expect.any(String) },
    ]);

    const absent = await runFlowgate(['check-config', join(directory, 'absent.yaml'), '--json']);
    expect([absent.code, JSON.parse(absent.stdout)]).toMatchObject([2, { valid: false, problems: [{ path: '' }] }]);
  });

  test('migrate-data prints the tables of equal databases, and otherwise the failure', async () => {
    const [from, to] = [join(directory, 'from.db'), join(directory, 'to.db')];
    const none = await runFlowgate(['migrate-data', '--json', '--from', `sqlite:${from}`, '--to', `sqlite:${to}`]);
    expect([none.code, JSON.parse(none.stdout)]).toEqual([1, { equal: false, tables: [] }]);
    expect(none.stderr).toContain('there is no file');
    await Bun.write(from, '');
    const moved = await runFlowgate(['migrate-data', '--json', '--from', `sqlite:${from}`, '--to', `sqlite:${to}`]);
    expect([moved.code, JSON.parse(moved.stdout).equal]).toEqual([0, true]);
    const checksum = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(JSON.parse(moved.stdout).tables).toContainEqual({ table: 'api_keys', rows: 0, checksum });
    expect(moved.stderr).toContain('Both databases are equal.');
  });
});

test('a database that cannot be opened is exit 1 and named, without a stack trace', async () => {
  const file = await fileOf({ ...valid, server: { port: 0 }, storage: { database: `sqlite:${directory}` } });
  const ended = await runFlowgate(['start', '--config', file], pepper);
  expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining('database')]);
  expect(ended.stderr).not.toContain('    at ');
});

/** A gateway that terminates TLS, from its operator's view (docs/decisions/0068). */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { certificateMaker } from '@flowgate/testing/certificates';
import { until } from '@flowgate/testing/until';
import { stringify } from 'yaml';
import { type FakeIssuer, startFakeIssuer } from '../../apps/gateway/test/fixtures/issuer.ts';
import { runFlowgate } from '../../apps/gateway/test/fixtures/run-flowgate.ts';

const maker = certificateMaker();
const [shown, renewed, foreign] = [maker.make('shown'), maker.make('renewed'), maker.make('foreign', 5)];
const ca = [shown.pem, renewed.pem];
let issuer: FakeIssuer;
let gateway: Bun.Subprocess<'ignore', 'pipe', 'inherit'>;
let output = '';
let port = 0;

function configFile(name: string, tls: object, server: object = {}): string {
  const path = join(maker.directory, name);
  const config = {
    server: { host: '127.0.0.1', port: 0, drainSeconds: 5, ...server, tls },
    identity: { issuer: issuer.issuer, audience: issuer.audience },
    storage: { database: `sqlite:${join(maker.directory, 'flowgate.db')}` },
    keys: { peppers: ['pepper-for-tests-0123456789abcdefghijk'] },
  };
  writeFileSync(path, stringify(config));
  return path;
}

beforeAll(async () => {
  issuer = await startFakeIssuer();
  const main = join(import.meta.dir, '../../apps/cli/src/main.ts');
  const file = configFile('tls.yaml', { certificate: shown.certificate, key: shown.key, reloadSeconds: 0.1 });
  gateway = Bun.spawn([process.execPath, main, 'start', file], { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' });
  void (async () => {
    for await (const piece of gateway.stdout) output += Buffer.from(piece).toString();
  })();
  await until('it listens', () => output.includes('gateway.listening'));
  port = Number(/"port":(\d+)/.exec(output)?.[1]);
});
afterAll(async () => {
  gateway.kill('SIGKILL');
  await Promise.all([gateway.exited, issuer.close()]);
  maker.remove();
});

const ask = (path: string) => fetch(`https://127.0.0.1:${port}${path}`, { tls: { ca }, keepalive: false });

function commonName(): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', ca }, () => {
      resolve(socket.getPeerCertificate().subject?.CN);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

test('all addresses that it returns are https', async () => {
  const url = `https://127.0.0.1:${port}`;
  expect(output).toContain(`"url":"${url}"`);
  const { servers } = (await (await ask('/openapi.json')).json()) as { servers: readonly { url: string }[] };
  expect(servers.map((each) => each.url)).toEqual([url]);
  expect(await (await ask('/')).text()).toContain(url);
  expect((await ask('/healthz')).status).toBe(200);
});

test('new certificate files take effect without a restart; a pair that does not match is logged, and the old one remains in use', async () => {
  expect(await commonName()).toBe('shown');
  maker.replace(shown, renewed);
  await until('new connections get the new certificate', async () => (await commonName()) === 'renewed');
  await until('it is logged', () => output.includes('tls.certificate-replaced'));

  writeFileSync(shown.key, await Bun.file(foreign.key).text());
  await until('it is logged', () => output.includes('tls.certificate-refused'));
  expect(output).toContain('key does not belong to the first certificate');
  expect(await commonName()).toBe('renewed');
  maker.replace(shown, renewed);
});

test('SIGHUP reads the files at once', async () => {
  const own = maker.make('hangup');
  const { certificate, key } = own;
  const file = configFile('hangup.yaml', { certificate, key, reloadSeconds: 3600 });
  const main = join(import.meta.dir, '../../apps/cli/src/main.ts');
  const other = Bun.spawn([process.execPath, main, 'start', file], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  let said = '';
  const reading = (async () => {
    for await (const piece of other.stdout) said += Buffer.from(piece).toString();
  })();
  try {
    await until('it listens', () => said.includes('gateway.listening'));
    maker.replace(own, renewed);
    other.kill('SIGHUP');
    await until('it says so', () => said.includes('"event":"gateway.reloaded","reloaded":"server.tls"'));
    expect(said).toContain('tls.certificate-replaced');
  } finally {
    other.kill('SIGKILL');
    await Promise.all([other.exited, reading]);
  }
});

describe('check-config and start', () => {
  test('report files that cannot be used', async () => {
    const file = configFile('wrong.yaml', { certificate: renewed.certificate, key: foreign.key });
    const checked = await runFlowgate(['check-config', file]);
    expect([checked.code, checked.stderr]).toEqual([
      2,
      `flowgate: ${file} has 1 problem:\n  server.tls.key: does not belong to the first certificate\n`,
    ]);
    const started = await runFlowgate(['start', file]);
    expect([started.code, started.stderr]).toEqual([
      1,
      'flowgate: server.tls.key does not belong to the first certificate\n',
    ]);
  });

  test('refuse a key that clients refuse', async () => {
    const { certificate, key } = maker.make('weak', 30, ['rsa:1024']);
    const checked = await runFlowgate(['check-config', configFile('weak.yaml', { certificate, key })]);
    expect([checked.code, checked.stderr]).toEqual([
      2,
      expect.stringContaining('server.tls.certificate: has an RSA key of 1024 bits, which clients refuse'),
    ]);
  });

  test('warn of a certificate that expires soon, a key that others can read, and a wrong public URL', async () => {
    chmodSync(foreign.key, 0o644);
    const server = { publicUrl: 'http://127.0.0.1:8080' };
    const file = configFile('unwise.yaml', { certificate: foreign.certificate, key: foreign.key }, server);
    const { code, stdout } = await runFlowgate(['check-config', '--json', file]);
    const { warnings } = JSON.parse(stdout) as { warnings: readonly { path: string; message: string }[] };
    const reported = warnings.filter(({ path }) => path.startsWith('server'));
    expect(code).toBe(0);
    expect(reported.map(({ path, message }) => `${path} ${message.slice(0, 20)}`)).toEqual([
      'server.publicUrl is plain http, but s',
      'server.tls.certificate expires in 4 days, a',
      'server.tls.key can be read or chang',
    ]);
  });
});

test('SIGTERM drains it', async () => {
  gateway.kill('SIGTERM');
  expect(await gateway.exited).toBe(0);
});

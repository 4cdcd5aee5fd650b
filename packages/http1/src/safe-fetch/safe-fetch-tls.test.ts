import { afterAll, afterEach, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endAll, endsWith, reply, serve } from '@flowgate/testing/raw-http1-server';
import { openSafeFetch, textOf } from '@flowgate/testing/safe-fetch';

const directory = mkdtempSync(join(tmpdir(), 'safe-fetch-'));
afterEach(endAll);
afterAll(() => rmSync(directory, { recursive: true }));

function openssl(...words: string[]): void {
  const made = Bun.spawnSync(['openssl', ...words], { cwd: directory });
  if (made.exitCode !== 0) throw new Error(made.stderr.toString());
}
const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Test authority');
const ca = readFileSync(join(directory, 'ca.pem'), 'utf8');

/** A certificate for a single name, from the authority above. */
function certificateFor(name: string): { cert: string; key: string } {
  openssl(
    ...[
      'req',
      '-x509',
      ...key,
      '-CA',
      'ca.pem',
      '-CAkey',
      'ca.key',
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.pem`,
      '-days',
      '2',
    ],
    ...[
      '-subj',
      `/CN=${name}`,
      '-addext',
      `subjectAltName=DNS:${name}`,
      '-addext',
      'basicConstraints=critical,CA:FALSE',
    ],
  );
  const [cert, secret] = [`${name}.pem`, `${name}.key`].map((file) => readFileSync(join(directory, file), 'utf8'));
  return { cert: cert ?? '', key: secret ?? '' };
}
const app = certificateFor('app.example');
const other = certificateFor('other.example');

const resolve = async () => ['127.0.0.1'];

test("the connection goes to the vetted address, the certificate is the name's, and so is Host (contract/networks#catalog)", async () => {
  const { port, seen } = serve((peer, { body }) => void peer.write(reply(body)), { tls: app });
  const { ask } = openSafeFetch({ allowPrivateHosts: ['app.example'], ca, resolve });
  for (const body of ['a', 'b']) {
    expect(textOf(await ask(`https://app.example:${port}/`, { method: 'POST', body }))).toBe(body);
  }
  expect(seen.received).toContain(`\r\nHost: app.example:${port}\r\n`);
  expect(seen.connections).toBe(1);
});

test("the handshake sends the server's name (SNI), so that hosts behind one address are distinguished", async () => {
  const names = { 'app.example': app, 'other.example': other };
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    tls: Object.entries(names).map(([serverName, pair]) => ({ serverName, ...pair })),
    fetch: (request) => new Response(request.headers.get('host')),
  });
  endsWith(() => void server.stop(true));
  const { ask } = openSafeFetch({ allowPrivateHosts: Object.keys(names), ca, resolve });
  for (const name of Object.keys(names)) {
    expect(textOf(await ask(`https://${name}:${server.port}/`))).toBe(`${name}:${server.port}`);
  }
});

test('a valid certificate of another name is refused, and nothing was sent', async () => {
  const { port, seen } = serve((peer) => void peer.write(reply('x')), { tls: other });
  const { ask } = openSafeFetch({ allowPrivateHosts: ['app.example', '127.0.0.1'], ca, resolve });
  for (const host of ['app.example', '127.0.0.1']) {
    expect(await ask(`https://${host}:${port}/`)).toEqual({
      ok: false,
      failure: 'connect',
      sent: false,
      detail: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
  }
  expect(seen.received).toBe('');
});

test('a certificate of an unknown authority is refused, also for allowed private hosts', async () => {
  const { port, seen } = serve((peer) => void peer.write(reply('x')), { tls: app });
  const { ask } = openSafeFetch({ allowPrivateHosts: ['app.example'], resolve });
  expect(await ask(`https://app.example:${port}/`)).toMatchObject({ failure: 'connect', sent: false });
  expect(seen.received).toBe('');
});

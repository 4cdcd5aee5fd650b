import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPipelining, pipeliningServer, quick, withPipelines } from '@flowgate/testing/pipelining-server';
import { endAll, open, reply, serve, writeAll } from '@flowgate/testing/raw-http1-server';

afterEach(endAll);

describe('TLS', () => {
  const directory = mkdtempSync(join(tmpdir(), 'http1-client-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  function certificate(name: string, altNames: string): { cert: string; key: string } {
    const [key, cert] = [join(directory, `${name}.key`), join(directory, `${name}.pem`)];
    const made = Bun.spawnSync([
      ...['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-keyout', key, '-out', cert, '-days', '2', '-subj', `/CN=${name}`, '-addext', `subjectAltName=${altNames}`],
    ]);
    if (made.exitCode !== 0) throw new Error(made.stderr.toString());
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  }
  const local = certificate('local', 'DNS:localhost,IP:127.0.0.1');
  const foreign = certificate('foreign', 'DNS:node.example');
  const answering = (tls: { cert: string; key: string }) =>
    serve((peer, { body }) => void peer.write(reply(body)), { tls });

  test('a self-signed certificate is refused and the request is not sent', async () => {
    const { url, seen } = answering(local);
    expect(await open(url).post('secret')).toEqual({
      ok: false,
      failure: 'connect',
      sent: false,
      detail: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    expect(seen.received).toBe('');
  });

  test('a self-signed certificate is refused when NODE_TLS_REJECT_UNAUTHORIZED is 0, too', () => {
    const { url, seen } = answering(local);
    const script = `
      import { createHttp1Client } from './http1-client.ts';
      import { createTimerWheel } from '@flowgate/async/timer-wheel';
      import { TurnBudget } from '@flowgate/async/turn-budget';
      import { systemClock } from '@flowgate/base/clock';
      const turns = new TurnBudget(systemClock);
      const client = createHttp1Client({ url: '${url}', timeoutMs: 5000, timerWheel: createTimerWheel(systemClock), turns });
      console.log((await client.post('secret')).failure);`;
    const child = Bun.spawn([process.execPath, '-e', script], {
      cwd: import.meta.dir,
      env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0' },
      stdout: 'pipe',
      stderr: 'ignore',
    });
    return new Response(child.stdout).text().then((printed) => {
      expect(printed.trim()).toBe('connect');
      expect(seen.received).toBe('');
    });
  });

  test('a certificate of a configured authority is accepted, by address and by name, and the connection is reused', async () => {
    const { url, seen } = answering(local);
    const client = open(url, { tls: { ca: local.cert } });
    for (const body of ['a', 'b', 'c']) expect(await client.post(body)).toMatchObject({ ok: true, body });
    expect(seen.connections).toBe(1);
    const named = open(url.replace('127.0.0.1', 'localhost'), { tls: { ca: local.cert } });
    expect(await named.post('d')).toMatchObject({ ok: true, body: 'd' });
  });

  test('calls are pipelined only after the certificate was verified', async () => {
    const server = pipeliningServer(undefined, local);
    const { client: unsure } = openPipelining(server.url);
    const { client } = openPipelining(server.url, { tls: { ca: local.cert } });
    await withPipelines(server, client, 2);
    expect(await unsure.post('no', quick('no'))).toMatchObject({ ok: false, failure: 'connect', sent: false });
    const bodies = Array.from({ length: 60 }, (_, nth) => `call ${nth}`);
    const replies = await Promise.all(bodies.map((body) => client.post(body, quick(body))));
    expect(replies.map((each) => each.ok && each.body)).toEqual(bodies);
    expect(server.pipelined()).toBeGreaterThan(20);
    expect(server.asked.get('no')).toBeUndefined();
  });

  test('a trusted certificate for another host is refused, and the detail names neither', async () => {
    const { url, seen } = answering(foreign);
    for (const host of ['127.0.0.1', 'localhost']) {
      const answer = await open(url.replace('127.0.0.1', host), { tls: { ca: foreign.cert } }).post('secret');
      expect(answer).toEqual({ ok: false, failure: 'connect', sent: false, detail: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    }
    expect(seen.received).toBe('');
  });

  test('verification can be switched off explicitly', async () => {
    const { url } = answering(foreign);
    expect(await open(url, { tls: { rejectUnauthorized: false } }).post('x')).toMatchObject({ ok: true, body: 'x' });
  });

  test('a server without TLS and an unusable authority are connect failures', async () => {
    const { port } = serve(() => {}, { onOpen: (peer) => void peer.write('HTTP/1.1 400 Bad Request\r\n\r\n') });
    expect(await open(`https://127.0.0.1:${port}/`).post('x')).toMatchObject({ failure: 'connect', sent: false });
    const broken = open(`https://127.0.0.1:${port}/`, { tls: { ca: 'no certificate' } });
    expect(await broken.post('x')).toMatchObject({ failure: 'connect', sent: false });
  });

  test('5 MB go both ways through TLS', async () => {
    const { url } = serve((peer, { body }) => writeAll(peer, Buffer.from(reply(body))), { tls: local });
    const body = 'aé€'.repeat(900_000);
    const answer = await open(url, { tls: { ca: local.cert } }).post(body);
    expect(answer.ok && answer.body === body).toBeTrue();
  });
});

/** The command line for users with a gateway, and with servers that are no gateway (command-line). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { flowgateCommand } from '../../apps/gateway/test/fixtures/flowgate-command.ts';
import { type CliHome, createCliHome } from '../../apps/gateway/test/fixtures/run-cli.ts';
import { runFlowgate } from '../../apps/gateway/test/fixtures/run-flowgate.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

let gateway: RunningGateway;
let home: CliHome;
const servers: { stop: (force: boolean) => unknown }[] = [];
beforeAll(async () => {
  gateway = await startGateway();
  home = createCliHome();
});
afterAll(async () => {
  home.remove();
  for (const server of servers) server.stop(true);
  await gateway.stop();
});

const withToken = () => ({ FLOWGATE_URL: gateway.url, FLOWGATE_TOKEN: gateway.token('alice') });

function serve(answer: (request: Request) => Response): string {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer });
  servers.push(server);
  return `http://127.0.0.1:${server.port}`;
}

test('whoami prints user, gateway and credential, as text and as JSON', async () => {
  const environment = withToken();
  const person = await home.run(['whoami'], { environment });
  expect([person.code, person.stderr]).toEqual([0, '']);
  expect(person.stdout).toBe(
    `alice\nat ${gateway.url}, by an access token of FLOWGATE_TOKEN\n300 requests a minute, over all of your keys and tokens\n`,
  );
  const program = await home.run(['whoami', '--json'], { environment });
  expect(JSON.parse(program.stdout)).toMatchObject({ gateway: gateway.url, userId: 'alice', credential: 'token' });
});

test('whoami prints the same when it runs as a process', async () => {
  const ended = await runFlowgate(['whoami'], { ...withToken(), XDG_CONFIG_HOME: home.directory });
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(ended.stdout).toStartWith('alice\n');
});

test('networks are listed', async () => {
  const { code, stdout } = await home.run(['networks'], { environment: withToken() });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^NETWORK +NAME +STATE/);
  const { data } = JSON.parse((await home.run(['networks', '--json'], { environment: withToken() })).stdout);
  expect(data.length).toBeGreaterThan(0);
});

test('a refusal is exit code 1 with the request’s id, an unreachable gateway 3, wrong usage 2 (command-line#exit-codes)', async () => {
  const refused = await home.run(['whoami'], {
    environment: { FLOWGATE_URL: gateway.url, FLOWGATE_TOKEN: 'no-token' },
  });
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toMatch(/^flowgate: .+\n.*flowgate login\nRequest \S+, status 401\n$/);
  const asJson = await home.run(['--json', 'whoami'], {
    environment: { FLOWGATE_URL: gateway.url, FLOWGATE_TOKEN: 'no-token' },
  });
  expect(JSON.parse(asJson.stderr)).toMatchObject({
    error: { kind: 'refused', status: 401, requestId: expect.any(String) },
  });
  const unreachable = await home.run(['whoami'], {
    environment: { FLOWGATE_URL: 'http://127.0.0.1:1', FLOWGATE_TOKEN: 'x' },
  });
  expect([unreachable.code, unreachable.stdout]).toEqual([3, '']);
  for (const args of [
    ['whoami', '--fly'],
    ['whoami', 'extra'],
    ['--profile', 'NO', 'whoami'],
    ['--profile', 'none', 'whoami'],
  ])
    expect([args, (await home.run(args, { environment: withToken() })).code]).toEqual([args, 2]);
  expect((await home.run(['whoami'])).stderr).toContain('which gateway?');
  const misused = JSON.parse((await home.run(['whoami', '--json', '--fly\u001b[2J'])).stderr);
  expect(misused).toEqual({ error: { kind: 'usage', message: "unknown option '--fly\u001b[2J'" } });
});

test('the time to wait is printed', async () => {
  const url = serve(() =>
    Response.json(
      { timestamp: 1, status: 429, error: 'Too Many Requests', message: 'Slow.', path: '/' },
      { status: 429, headers: { 'Retry-After': '7' } },
    ),
  );
  const { code, stderr } = await home.run(['whoami'], { environment: { FLOWGATE_URL: url, FLOWGATE_TOKEN: 'x' } });
  expect([code, stderr]).toEqual([1, 'flowgate: Slow.\nTry again in 7 s.\n']);
});

test('a server that is no gateway is exit code 3: a page, a redirect, invalid JSON; the credential does not follow the redirect', async () => {
  let followed = 0;
  const elsewhere = serve(() => {
    followed += 1;
    return new Response();
  });
  for (const answer of [
    () => new Response('<h1>Welcome</h1>', { headers: { 'Content-Type': 'text/html' } }),
    () => new Response(null, { status: 302, headers: { Location: elsewhere } }),
    () => new Response(null, { status: 307, headers: { Location: elsewhere } }),
    () => new Response('{"id":7}'),
    () => new Response('x'.repeat(5_000_000), { status: 500 }),
  ]) {
    const environment = { FLOWGATE_URL: serve(answer), FLOWGATE_TOKEN: 'x', FLOWGATE_API_KEY: 'y' };
    expect((await home.run(['whoami'], { environment })).code).toBe(3);
  }
  expect(followed).toBe(0);
});

test('texts of a gateway cannot control the terminal, in tables and in errors', async () => {
  const hostile = '\u001b[2J\u009b1m\u202eevil\r\n';
  const network = {
    dlt: hostile,
    networkId: hostile,
    name: hostile,
    family: hostile,
    default: false,
    status: hostile,
    nodes: { healthy: 1, total: 1 },
  };
  const url = serve((request) =>
    request.url.endsWith('/networks')
      ? Response.json({ data: [network] })
      : Response.json(
          { timestamp: 1, status: 400, error: hostile, message: hostile, path: '/' },
          { status: 400, headers: { 'X-Request-Id': '\u009b2J' } },
        ),
  );
  const environment = { FLOWGATE_URL: url, FLOWGATE_TOKEN: 'x' };
  for (const args of [['networks'], ['networks', '--json'], ['whoami'], ['whoami', '--json']]) {
    const { stdout, stderr } = await home.run(args, { environment, columns: 100 });
    const styles = /\u001b\[\d{1,2}m/g;
    expect((stdout + stderr).replaceAll(styles, '').replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  }
});

test('colors are only used on terminals that support them', async () => {
  const run = (columns: number | undefined, environment = {}, args: readonly string[] = []) =>
    home.run(['networks', ...args], {
      environment: { ...withToken(), ...environment },
      ...(columns === undefined ? {} : { columns }),
    });
  expect((await run(80)).stdout).toContain('\u001b[1m');
  for (const plain of [
    run(undefined),
    run(80, { NO_COLOR: '1' }),
    run(80, { TERM: 'dumb' }),
    run(80, {}, ['--no-color']),
  ])
    expect((await plain).stdout).not.toContain('\u001b');
});

test('a credential from the environment is sent only to FLOWGATE_URL', async () => {
  const seen: string[] = [];
  const url = serve((request) => {
    seen.push(request.headers.get('authorization') ?? request.headers.get('x-api-key') ?? '');
    return Response.json({ id: 'x' });
  });
  const environment = { ...withToken(), FLOWGATE_API_KEY: 'made-for-it' };
  const elsewhere = await home.run(['whoami', '--url', url], { environment });
  expect([elsewhere.code, seen]).toEqual([2, []]);
  const withoutUrl = await home.run(['whoami', '--url', url], { environment: { FLOWGATE_TOKEN: 'x' } });
  expect([withoutUrl.code, seen]).toEqual([2, []]);
  expect(withoutUrl.stderr).toContain('FLOWGATE_URL');
});

test('Ctrl-C ends a waiting command with 130', async () => {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const url = serve(() => {
    resolve();
    return new Response(new ReadableStream({ start() {} }));
  });
  const ended = new AbortController();
  const run = home.run(['whoami'], { environment: { FLOWGATE_URL: url, FLOWGATE_TOKEN: 'x' }, signal: ended.signal });
  await asked;
  ended.abort();
  expect((await run).code).toBe(130);
});

test('as a process, it ends on SIGINT with 130 and without output, even while the gateway does not answer', async () => {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const url = serve(() => {
    resolve();
    return new Response(new ReadableStream({ start() {} }));
  });
  const child = Bun.spawn([...flowgateCommand, 'rpc', 'eth_blockNumber'], {
    ...{ stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
    env: { PATH: process.env['PATH'] ?? '', XDG_CONFIG_HOME: home.directory, FLOWGATE_URL: url, FLOWGATE_API_KEY: 'k' },
  });
  await asked;
  child.kill('SIGINT');
  expect([await child.exited, await child.stdout.text(), await child.stderr.text()]).toEqual([130, '', '']);
});

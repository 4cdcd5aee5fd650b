/** Keys, calls and nodes on the command line, with a gateway (command-line#commands). */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answering, wellBehaved } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { type CliHome, createCliHome } from '../../apps/gateway/test/fixtures/run-cli.ts';
import { type Minted, type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

let gateway: RunningGateway;
let key: Minted;
let home: CliHome;
const servers: { stop: (force: boolean) => unknown }[] = [];
beforeAll(async () => {
  gateway = await startGateway();
  key = await gateway.mint('alice');
});
beforeEach(() => {
  home = createCliHome();
  gateway.node.behave(wellBehaved);
});
afterEach(() => home.remove());
afterAll(async () => {
  for (const server of servers) server.stop(true);
  await gateway.stop();
});

const asAlice = () => ({ FLOWGATE_URL: gateway.url, FLOWGATE_TOKEN: gateway.token('alice') });
const asAdmin = () => ({
  FLOWGATE_URL: gateway.url,
  FLOWGATE_TOKEN: gateway.token('root', { roles: ['admin'] }),
});
const withKey = () => ({ FLOWGATE_URL: gateway.url, FLOWGATE_API_KEY: key.apiKey });
const rpc = (args: readonly string[], stdin = '') => home.run(['rpc', ...args], { environment: withKey(), stdin });

function serve(answer: (request: Request) => Response | Promise<Response>) {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer });
  servers.push(server);
  return { FLOWGATE_URL: `http://127.0.0.1:${server.port}`, FLOWGATE_API_KEY: 'k' };
}

/** A profile for alice, as `login --with-token` creates it. */
async function signedIn(user = 'alice'): Promise<() => { apiKey?: { keyId: string; apiKey: string } }> {
  const { code } = await home.run(['login', gateway.url, '--with-token'], { stdin: gateway.token(user) });
  expect(code).toBe(0);
  return () => JSON.parse(readFileSync(join(home.directory, 'flowgate', 'profiles', 'default.json'), 'utf8'));
}

describe('keys', () => {
  test('mint prints only the key on standard output; the key works; list shows its id; revoke ends it', async () => {
    const environment = asAlice();
    const minted = await home.run(['keys', 'mint', 'a label', '--expires', '90d'], { environment });
    expect([minted.code, minted.stdout]).toEqual([0, expect.stringMatching(/^fk_\w+\.[\w-]+\n$/)]);
    const apiKey = minted.stdout.trim();
    const [keyId = ''] = apiKey.slice(3).split('.');
    const call = { environment: { FLOWGATE_URL: gateway.url, FLOWGATE_API_KEY: apiKey } };
    expect((await home.run(['rpc', 'eth_blockNumber'], call)).stdout).toBe('0x10\n');
    const listed = await home.run(['keys', 'list'], { environment });
    expect(listed.stdout).toMatch(new RegExp(`^KEY ID .*\\n.*${keyId} +a label +active`));
    expect(listed.stdout).not.toContain(apiKey.split('.')[1] ?? '');

    expect((await home.run(['keys', 'revoke', apiKey], { environment })).code).toBe(2);
    expect((await home.run(['keys', 'revoke', keyId], { environment })).stdout).toBe(`Revoked ${keyId}.\n`);
    const refused = await home.run(['rpc', 'eth_blockNumber'], call);
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([
      1,
      '',
      expect.stringMatching(/^flowgate: Invalid credentials\.\nRequest /),
    ]);
    expect((await home.run(['keys', 'list'], { environment })).stdout).not.toContain(keyId);
    expect((await home.run(['keys', 'list', '--all'], { environment })).stdout).toMatch(
      new RegExp(`${keyId} .*revoked`),
    );
  });

  test('a saved key is not printed, is used for calls, and is deleted when it is revoked', async () => {
    const profile = await signedIn();
    const minted = await home.run(['keys', 'mint', 'saved', '--save']);
    const { keyId = '', apiKey = '?' } = profile().apiKey ?? {};
    expect([minted.code, (minted.stdout + minted.stderr).includes(apiKey)]).toEqual([0, false]);
    expect((await home.run(['rpc', 'eth_blockNumber'])).stdout).toBe('0x10\n');
    expect((await home.run(['keys', 'revoke', keyId])).code).toBe(0);
    expect(profile().apiKey).toBeUndefined();
    expect((await home.run(['rpc', 'eth_blockNumber'])).code).toBe(2);
  });

  test('a refused mint names the reason: a label, a date, no profile to save to, a directory that is not writable', async () => {
    const environment = asAlice();
    const count = async () =>
      JSON.parse((await home.run(['keys', 'list', '--json'], { environment })).stdout).data.length;
    const before = await count();
    expect((await home.run(['keys', 'mint', ''], { environment })).code).toBe(1);
    expect((await home.run(['keys', 'mint', 'x', '--expires', 'soon'], { environment })).code).toBe(2);
    expect((await home.run(['keys', 'mint', 'x', '--save'], { environment })).stderr).toContain(
      '--save needs a profile',
    );
    expect((await home.run(['keys', 'mint', 'x'], { environment: withKey() })).code).toBe(2);
    writeFileSync(join(home.directory, 'flowgate'), 'a file');
    expect((await home.run(['keys', 'mint', 'x', '--save', '--url', gateway.url], { environment })).code).toBe(1);
    home.remove();
    expect(await count()).toBe(before);
  });

  test('a mint without a response says that the key may exist', async () => {
    const server = serve(() => new Response(null, { status: 302, headers: { Location: '/' } }));
    const environment = { FLOWGATE_URL: server.FLOWGATE_URL, FLOWGATE_TOKEN: 't' };
    const ended = await home.run(['keys', 'mint', 'x'], { environment });
    expect([ended.code, ended.stderr]).toEqual([3, expect.stringContaining('may exist')]);
  });
});

describe('rpc', () => {
  test('call prints a result: strings without quotes, other values as JSON; parameters are sent as typed', async () => {
    expect(await rpc(['eth_blockNumber'])).toEqual({ code: 0, stdout: '0x10\n', stderr: '' });
    const typed = ['eth_test', '0xabc', '{"a":[1]}', '12345678901234567890123', 'x y', '-1'];
    gateway.node.behave((body) => answering(JSON.stringify(body))(body, new Request('http://node')));
    expect((await rpc(typed)).stdout).toContain('"params":["0xabc",{"a":[1]},12345678901234567890123,"x y",-1]');
    expect((await rpc(['eth_test', '--params', '{"named":1}'])).stdout).toContain('"params":{"named":1}');
    expect((await rpc(['eth_test', '--params', '-'], '["in"]')).stdout).toContain('"params":["in"]');
  });

  test('an error is exit code 1 with message, code and data; with --json the response contains it', async () => {
    gateway.node.behave(answering('{"code":3,"message":"execution \\u001b[2Jreverted","data":"0x08c379a0"}', 'error'));
    const person = await rpc(['eth_call']);
    expect(person).toEqual({
      code: 1,
      stdout: '',
      stderr: 'flowgate: execution �[2Jreverted (3)\ndata: "0x08c379a0"\n',
    });
    const program = await rpc(['eth_call', '--json']);
    expect([program.code, program.stderr]).toEqual([1, '']);
    expect(JSON.parse(program.stdout)).toMatchObject({ jsonrpc: '2.0', error: { code: 3, data: '0x08c379a0' } });
  });

  test('a call goes to the given network or node', async () => {
    const { data } = JSON.parse((await home.run(['networks', '--json'], { environment: withKey() })).stdout);
    const { dlt, networkId } = data[0];
    expect((await rpc(['eth_blockNumber', '--network', `${dlt}/${networkId}`])).stdout).toBe('0x10\n');
    const nodes = JSON.parse((await home.run(['nodes', 'list', '--json'], { environment: withKey() })).stdout).data;
    for (const node of [nodes[0].nodeId, `${dlt}/${nodes[0].nodeId}`])
      expect((await rpc(['eth_blockNumber', '--node', node])).stdout).toBe('0x10\n');
    expect((await rpc(['eth_blockNumber', '--network', 'no/where'])).code).toBe(1);
    for (const named of ['x', '../x', 'a/b/c', '', '/'])
      expect([named, (await rpc(['eth_blockNumber', '--network', named])).code]).toEqual([named, 2]);
    expect((await rpc(['eth_blockNumber', '--network', 'a/b', '--node', 'c'])).code).toBe(2);
  });

  test('a batch is read from standard input, and one error in it is exit code 1', async () => {
    const calls = '{"method":"eth_blockNumber"}\n{"method":"eth_chainId","id":"mine"}\n';
    const batch = await rpc(['--batch'], calls);
    expect(batch.code).toBe(0);
    expect(JSON.parse(batch.stdout)).toMatchObject([{ id: 1, result: '0x10' }, { id: 'mine' }]);
    const refused = await rpc(['--batch'], '{"method":"eth_blockNumber"}\n{"method":"admin_peers"}\n');
    expect([refused.code, refused.stderr]).toEqual([1, '']);
    expect(JSON.parse(refused.stdout)[1].error.code).toBeNumber();
    for (const [args, stdin] of [
      [['--batch'], ''],
      [['--batch'], 'nonsense'],
      [['--batch', 'm'], calls],
      [[], ''],
    ] as const)
      expect((await rpc(args, stdin)).code).toBe(2);
  });

  test('endless standard input is read up to a limit', async () => {
    let given = 0;
    const endless = {
      *[Symbol.iterator]() {
        for (;;) {
          given += 1;
          yield new Uint8Array(1_048_576).fill(0x20);
        }
      },
    };
    const ended = await home.run(['rpc', '--batch'], { environment: withKey(), stdin: endless as never });
    expect([ended.code, given]).toEqual([2, 17]);
  });

  test('a large response is printed while it arrives, without buffering', async () => {
    const first = Promise.withResolvers<void>();
    const piece = new TextEncoder().encode(`"${'ab'.repeat(500_000)}",`);
    const environment = serve(
      () =>
        new Response(
          new ReadableStream({
            async start(controller) {
              controller.enqueue(new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"result":['));
              controller.enqueue(piece);
              // The rest is sent only after the first part was printed.
              await first.promise;
              for (let at = 0; at < 4; at++) controller.enqueue(piece);
              controller.enqueue(new TextEncoder().encode('1]}'));
              controller.close();
            },
          }),
          { headers: { 'Content-Type': 'application/json' } },
        ),
    );
    let bytes = 0;
    const onOutput = (text: string) => {
      bytes += text.length;
      if (bytes > 900_000) first.resolve();
    };
    const { code, stdout } = await home.run(['rpc', 'eth_getLogs'], { environment, onOutput });
    expect([code, JSON.parse(stdout).length]).toEqual([0, 6]);
  });

  test('an incomplete or invalid response is exit code 3; the key follows no redirect', async () => {
    let followed = 0;
    const elsewhere = serve(() => {
      followed += 1;
      return new Response();
    });
    const json = { headers: { 'Content-Type': 'application/json' } };
    for (const answer of [
      () => new Response('<h1>Welcome</h1>', { headers: { 'Content-Type': 'text/html' } }),
      () => new Response('{"jsonrpc":"2.0","id":1,"result":{"a":', json),
      () => new Response('{"jsonrpc":"2.0","id":1}', json),
      () => new Response('', json),
      () => new Response('x'.repeat(5_000_000), { status: 502 }),
      () => Response.redirect(elsewhere.FLOWGATE_URL, 307),
    ])
      expect((await home.run(['rpc', 'm'], { environment: serve(answer) })).code).toBe(3);
    expect(followed).toBe(0);
  });

  test('a refusal of the gateway is reported with the time to wait', async () => {
    const body = { timestamp: 1, status: 429, error: 'Too Many Requests', message: 'Too many.', path: '/rpc' };
    const environment = serve(() =>
      Response.json(body, { status: 429, headers: { 'Retry-After': '9', 'X-Request-Id': 'r-1' } }),
    );
    const { code, stderr } = await home.run(['rpc', 'm'], { environment });
    expect([code, stderr]).toEqual([1, 'flowgate: Too many.\nTry again in 9 s.\nRequest r-1, status 429\n']);
  });
});

test('a refused node is reported with the rule that its address breaks; nodes are listed and removed', async () => {
  const environment = asAlice();
  const { data } = JSON.parse((await home.run(['networks', '--json'], { environment })).stdout);
  const network = `${data[0].dlt}/${data[0].networkId}`;
  const refused = await home.run(['nodes', 'add', network, 'http://10.0.0.1/secret-key'], { environment });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/^flowgate: .+/)]);
  expect(refused.stderr).not.toContain('secret-key');
  const listed = await home.run(['nodes', 'list', '--network', network], { environment });
  expect(listed.stdout).toMatch(/^NODE +NETWORK .* HEAD +CHECK +P50 +P95 +ERRORS +CIRCUIT\n.*operator/);
  // Only administrators see the figures of the operator's nodes.
  expect(listed.stdout).not.toContain('closed');
  expect((await home.run(['nodes', 'list', '--all'], { environment })).code).toBe(1);
  const all = await home.run(['nodes', 'list', '--all'], { environment: asAdmin() });
  expect(all.stdout).toMatch(
    /^NODE +NETWORK +OWNER +STATE +HEAD +LAG +P50 +P95 +ERRORS +CIRCUIT\n.* operator .* closed/,
  );
  expect((await home.run(['nodes', 'remove', 'none'], { environment })).code).toBe(1);
  expect((await home.run(['nodes', 'list', '--network', 'x'], { environment })).code).toBe(2);
});

test('history is empty without transfers, and its filters are checked locally', async () => {
  const environment = asAlice();
  const { code, stdout } = await home.run(['history', '--after', '7d', '--type', 'swap'], { environment });
  expect([code, stdout]).toEqual([0, expect.stringContaining('Nothing yet')]);
  for (const args of [
    ['--type', 'x'],
    ['--limit', '0'],
    ['--after', 'then'],
  ])
    expect((await home.run(['history', ...args], { environment })).code).toBe(2);
});

test('usage is summed and drawn over time; responses of a gateway are read, and options are checked locally', async () => {
  const now = Date.parse('2026-11-23T01:00:30Z');
  const at = (minute: number) => new Date(now - 30_000 - minute * 60_000).toISOString();
  const asked: string[] = [];
  const server = serve(({ url }) => {
    asked.push(new URL(url).search);
    const row = { failed: 1, limited: 2, cached: 3, p50Ms: 1, p95Ms: 7 };
    return Response.json({
      data: [
        { ...row, at: at(50), by: 'eth_call\u001b[2J', requests: 10 },
        { ...row, at: at(1), by: 'eth_call\u001b[2J', requests: 80 },
      ],
    });
  });
  const environment = { FLOWGATE_URL: server.FLOWGATE_URL, FLOWGATE_TOKEN: 't' };
  const ended = await home.run(['usage', '--by', 'method'], { environment, now: () => now });
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  expect(asked[0]).toContain('bucket=minute&by=method');
  expect(ended.stdout).toMatch(/^2026-11-23 00:00Z to 2026-11-23 01:00Z, by minute\nMETHOD .* OVER TIME\n/);
  expect(ended.stdout).toMatch(/eth_call�\[2J +90 +2 +4 +6 +7 +▁ +█/);
  const own = await home.run(['usage', '--from', '24h', '--json'], { environment: asAlice() });
  expect([own.code, JSON.parse(own.stdout)]).toEqual([0, expect.objectContaining({ bucket: 'hour', by: 'total' })]);
  for (const args of [
    ['--from', 'then'],
    ['--from', '1h', '--to', '2h'],
    ['--by', 'x'],
    ['--bucket', 'week'],
  ])
    expect((await home.run(['usage', ...args], { environment: asAlice() })).code).toBe(2);
});

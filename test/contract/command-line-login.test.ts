/**
 * Signing in on the command line at a real OpenID provider, as a person with a browser does (command-line#signing-in).
 */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type IdentityProvider, startIdentityProvider } from '@flowgate/devkit/identity-provider';
import { createPersonAtBrowser } from '../../apps/gateway/test/fixtures/person-at-browser.ts';
import { type CliHome, type CliRunOptions, createCliHome } from '../../apps/gateway/test/fixtures/run-cli.ts';
import type { Ended } from '../../apps/gateway/test/fixtures/run-flowgate.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

let provider: IdentityProvider;
let gateway: RunningGateway;
let home: CliHome;
/** The audience of the issuer's tokens. */
const resources: string[] = [];
const servers: { stop: (force: boolean) => unknown }[] = [];
beforeAll(async () => {
  provider = await startIdentityProvider({ accessTokenTtlSeconds: 600, resources });
  gateway = await startGateway({ config: { identity: { issuer: provider.issuer } } });
  resources.push(gateway.url);
});
beforeEach(() => {
  home = createCliHome();
});
afterEach(() => home.remove());
afterAll(async () => {
  for (const server of servers) server.stop(true);
  await gateway.stop();
  await provider.stop();
});

const profileFile = (name = 'default') => join(home.directory, 'flowgate', 'profiles', `${name}.json`);
const profileOf = (name?: string) => JSON.parse(readFileSync(profileFile(name), 'utf8'));

function serve(answer: (request: Request) => Response | Promise<Response>): string {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer });
  servers.push(server);
  return `http://127.0.0.1:${server.port}`;
}

/** Runs `login` and passes the address that it prints to `visit`. */
async function login(
  args: readonly string[],
  visit: (address: string) => unknown,
  options: CliRunOptions = {},
): Promise<Ended> {
  const shown = Promise.withResolvers<string>();
  let text = '';
  const run = home.run(['login', ...args], {
    ...options,
    onOutput(piece) {
      text += piece;
      options.onOutput?.(piece);
      const address = /^ {2}(http\S+)$/m.exec(text)?.[1];
      if (address !== undefined && text.includes(`${address}\n`)) shown.resolve(address);
    },
  });
  const visited = shown.promise.then(visit);
  await Promise.race([run, visited]);
  const ended = await run;
  if (text.includes('\n  http')) await visited;
  return ended;
}

const asAlice = (address: string) => createPersonAtBrowser().signIn(address, 'alice');
const redirectOf = (address: string) => new URL(address).searchParams.get('redirect_uri') ?? '';

describe('login', () => {
  test('login signs in through the browser and saves a profile that only its owner can read; commands use it', async () => {
    const pages: { status: number; text: string }[] = [];
    const ended = await login([gateway.url], async (address) => pages.push(await asAlice(address)));
    expect(ended.code).toBe(0);
    expect(ended.stdout).toBe(`Signed in as alice at ${gateway.url}, profile default.\nThe sign-in renews itself.\n`);
    expect(pages).toMatchObject([{ status: 200, text: expect.stringContaining('<h1>Signed in</h1>') }]);
    expect(statSync(profileFile()).mode & 0o777).toBe(0o600);
    for (const directory of ['flowgate', 'flowgate/profiles'])
      expect(statSync(join(home.directory, directory)).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(home.directory, 'flowgate', 'profiles'))).toEqual(['default.json']);
    const { accessToken, refreshToken } = profileOf().signIn;
    const shown = [ended, await home.run(['whoami']), await home.run(['profiles', 'list', '--json'])];
    for (const { code, stdout, stderr } of shown) {
      expect(code).toBe(0);
      for (const secret of [accessToken, refreshToken]) expect(stdout + stderr).not.toContain(secret);
    }
    expect(shown[1]?.stdout).toStartWith('alice\n');
  });

  test('the authorization request has PKCE, state and nonce, and login passes it to the opener of the system', async () => {
    const opened: string[] = [];
    const ended = await login([gateway.url, '--profile', 'work'], asAlice, {
      openBrowser: async (url) => opened.push(url) > 0,
    });
    expect([ended.code, opened.length]).toEqual([0, 1]);
    const query = Object.fromEntries(new URL(opened[0] ?? '').searchParams);
    expect(query).toMatchObject({ response_type: 'code', code_challenge_method: 'S256', client_id: 'flowgate-cli' });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(query[name]).toMatch(/^[\w-]{43}$/);
    expect(query['redirect_uri']).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(query['resource']).toBe(gateway.url);
    expect(profileOf('work').url).toBe(gateway.url);
  });

  test('login names the gateway and the issuer before a browser opens', async () => {
    const seen: string[] = [];
    let output = '';
    await login([gateway.url], asAlice, {
      onOutput: (piece) => {
        output += piece;
      },
      openBrowser: async () => seen.push(output) > 0,
    });
    expect(seen).toEqual([`You sign in to the gateway ${gateway.url} at the issuer ${provider.issuer}.\n`]);
  });

  test('a malicious gateway that names the issuer of another gateway gets no token: the issuer refuses its address (RFC 8707)', async () => {
    const metadata = await (await fetch(`${gateway.url}/.well-known/oauth-protected-resource`)).json();
    const credentials: (string | null)[] = [];
    const hostile: string = serve((request) => {
      credentials.push(request.headers.get('authorization'));
      return Response.json({ ...(metadata as object), resource: hostile });
    });
    const byCode = await login([hostile], async (address) => {
      const page = await fetch(address, { redirect: 'manual' });
      await fetch(page.headers.get('location') ?? '');
    });
    expect([byCode.code, byCode.stderr]).toEqual([1, expect.stringContaining('resource indicator is missing')]);
    const byDevice = await home.run(['login', hostile, '--device']);
    expect([byDevice.code, byDevice.stderr]).toEqual([1, expect.stringContaining('resource indicator is missing')]);
    expect(credentials.filter((each) => each !== null)).toEqual([]);
  });

  test('--no-resource omits the address, also when a token is renewed, for issuers that refuse it', async () => {
    const bodies: string[] = [];
    const recording: CliRunOptions['fetch'] = (url, init) => {
      if (init.body !== undefined) bodies.push(String(init.body));
      return fetch(url, init);
    };
    const shown: string[] = [];
    const visit = (address: string) => {
      shown.push(address);
      return asAlice(address);
    };
    const soon = () => Date.now() + 595_000;
    for (const [flags, isSent] of [
      [[], true],
      [['--no-resource'], false],
    ] as const) {
      bodies.length = 0;
      expect((await login([gateway.url, ...flags], visit, { fetch: recording })).code).toBe(0);
      expect((await home.run(['whoami'], { now: soon, fetch: recording })).code).toBe(0);
      expect(new URL(shown.at(-1) ?? '').searchParams.has('resource')).toBe(isSent);
      expect(bodies.map((body) => new URLSearchParams(body).get('resource'))).toEqual(
        isSent ? [gateway.url, gateway.url] : [null, null],
      );
    }
  });

  test('a response with another state, to another path or with another host does not count, and the right one still does', async () => {
    const statuses: number[] = [];
    const ended = await login([gateway.url], async (address) => {
      const callback = redirectOf(address);
      const answers = [
        fetch(`${callback}?code=stolen&state=wrong`),
        fetch(`${callback}?code=stolen`),
        fetch(callback.replace('/callback', '/other')),
        fetch(`${callback}?state=x`, { headers: { Host: 'attacker.example' } }),
        fetch(callback, { method: 'POST' }),
      ];
      for (const answer of answers) statuses.push((await answer).status);
      await asAlice(address);
    });
    expect([ended.code, statuses]).toEqual([0, [400, 400, 404, 404, 404]]);
    expect(ended.stderr.match(/does not belong to this sign-in/g)).toHaveLength(1);
  });

  test('a response of another issuer ends the sign-in, and its code is not sent (RFC 9207)', async () => {
    const ended = await login([gateway.url], (address) => {
      const state = new URL(address).searchParams.get('state') ?? '';
      return fetch(`${redirectOf(address)}?${new URLSearchParams({ code: 'x', state, iss: 'https://other.example' })}`);
    });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('invalid response');
    expect(readdirSync(join(home.directory, 'flowgate', 'profiles'))).toEqual([]);
  });

  test('the port accepts one response: a second one is refused while the first is processed', async () => {
    const asked = Promise.withResolvers<void>();
    const resume = Promise.withResolvers<void>();
    const slowly: CliRunOptions['fetch'] = async (url, init) => {
      if (init.method === 'POST') {
        asked.resolve();
        await resume.promise;
      }
      return fetch(url, init);
    };
    const ended = await login(
      [gateway.url],
      async (address) => {
        const first = asAlice(address);
        await asked.promise;
        const state = new URL(address).searchParams.get('state') ?? '';
        const second = await fetch(`${redirectOf(address)}?${new URLSearchParams({ code: 'other', state })}`);
        expect(second.status).toBe(409);
        resume.resolve();
        await first;
      },
      { fetch: slowly },
    );
    expect(ended.code).toBe(0);
  });

  test('a refusal of the issuer is reported, and its text can control neither terminal nor page', async () => {
    const pages: string[] = [];
    const ended = await login([gateway.url], async (address) => {
      const state = new URL(address).searchParams.get('state') ?? '';
      const text = { error: 'access_denied', error_description: '<b>\u001b[2Jno', state, iss: provider.issuer };
      pages.push(await (await fetch(`${redirectOf(address)}?${new URLSearchParams(text)}`)).text());
    });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('refused: <b>�[2Jno');
    expect(pages.join()).toContain('<h1>Not signed in</h1>');
    expect(pages.join()).not.toContain('<b>');
  });

  test('without a response login ends after its timeout; Ctrl-C ends it at once; the port is then free', async () => {
    const ports: string[] = [];
    const late = await login([gateway.url, '--timeout', '1'], (address) =>
      ports.push(new URL(redirectOf(address)).port),
    );
    expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('the sign-in was not completed within 1 s')]);
    const ended = new AbortController();
    const stopped = await login([gateway.url, '--port', ports[0] ?? ''], () => ended.abort(), { signal: ended.signal });
    expect(stopped.code).toBe(130);
  });

  test('a port in use is named', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const ended = await login([gateway.url, '--port', String(port)], asAlice);
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining(`port ${port}`)]);
    await new Promise((resolve) => taken.close(resolve));
  });

  test('two concurrent sign-ins both write complete profiles', async () => {
    const [one, two] = await Promise.all([
      login([gateway.url, '--profile', 'one'], asAlice),
      login([gateway.url, '--profile', 'two'], (address) => createPersonAtBrowser().signIn(address, 'admin')),
    ]);
    expect([one.code, two.code]).toEqual([0, 0]);
    expect((await home.run(['whoami', '--profile', 'one'])).stdout).toStartWith('alice\n');
    expect((await home.run(['whoami', '--profile', 'two'])).stdout).toStartWith('admin (administrator)\n');
  });

  test('login by a code on another device, where the issuer supports it (RFC 8628)', async () => {
    const begun = Promise.withResolvers<string>();
    const ended = await login(
      [gateway.url, '--device'],
      async (address) => createPersonAtBrowser().enterCode(address, await begun.promise, 'alice'),
      {
        async fetch(url, init) {
          const answer = await fetch(url, init);
          if (!url.endsWith('/device/auth')) return answer;
          const body = (await answer.json()) as { user_code: string };
          begun.resolve(body.user_code);
          // The provider names no interval, so the default of five seconds would apply.
          return Response.json({ ...body, interval: 0.02 }, answer);
        },
      },
    );
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining('Signed in as alice')]);
    expect(ended.stderr).toContain(`enter the code ${await begun.promise}`);
  });

  test('a token from standard input is saved only after the gateway has accepted it', async () => {
    const token = await createToken();
    expect((await home.run(['login', gateway.url, '--with-token'], { stdin: 'rubbish' })).code).toBe(1);
    expect((await home.run(['login', gateway.url, '--with-token'], { stdin: 'x'.repeat(100_000) })).code).toBe(2);
    expect(readdirSync(join(home.directory, 'flowgate', 'profiles'))).toEqual([]);
    expect((await home.run(['login', gateway.url, '--with-token'], { stdin: `${token}\n` })).code).toBe(0);
    expect((await home.run(['whoami'])).stdout).toStartWith('alice\n');
  });

  test('login refuses a gateway or an issuer that claims another address, and one over plain http', async () => {
    const metadata = await (await fetch(`${gateway.url}/.well-known/oauth-protected-resource`)).json();
    const reported = (members: object) => {
      const url: string = serve(() => Response.json({ ...(metadata as object), resource: url, ...members }));
      return url;
    };
    const imposter: string = serve(() =>
      Response.json({ issuer: provider.issuer, authorization_endpoint: 'x', token_endpoint: 'y' }),
    );
    const runs = [
      [reported({ resource: 'https://rpc.example.com' }), 2, 'calls itself https://rpc.example.com'],
      [reported({ authorization_servers: [imposter] }), 1, 'invalid response'],
      [reported({ authorization_servers: ['http://login.example.com'] }), 1, 'neither at https nor'],
      [reported({ authorization_servers: ['http://127.0.0.1:1'] }), 3, 'cannot be reached'],
      [serve(() => new Response('<html>')), 3, 'Another service answers'],
    ] as const;
    for (const [url, code, words] of runs) {
      const ended = await login([url], () => {
        throw new Error('an address was shown');
      });
      expect([url, ended.code, ended.stderr]).toEqual([url, code, expect.stringContaining(words)]);
    }
  });

  test('a directory that is not writable is reported before the sign-in', async () => {
    writeFileSync(join(home.directory, 'flowgate'), 'a file');
    const ended = await login([gateway.url], () => {
      throw new Error('an address was shown');
    });
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringMatching(/cannot be (written|read) \(E/)]);
  });
});

async function createToken(): Promise<string> {
  const { signIn } = await import('@flowgate/devkit/sign-in');
  return signIn({ issuer: provider.issuer, user: 'alice' });
}

describe('a sign-in', () => {
  const later = () => Date.now() + 595_000;
  const refreshes =
    (seen: string[]): NonNullable<CliRunOptions['fetch']> =>
    (url, init) => {
      if (String(init.body).includes('refresh_token')) seen.push(url);
      return fetch(url, init);
    };

  test('a sign-in renews itself, once for concurrent commands, and stores the new refresh token', async () => {
    await login([gateway.url], asAlice);
    const before = profileOf().signIn;
    const seen: string[] = [];
    const runs = await Promise.all(
      Array.from({ length: 5 }, () => home.run(['whoami'], { now: later, fetch: refreshes(seen) })),
    );
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect(seen).toHaveLength(1);
    const after = profileOf().signIn;
    expect(after.accessToken).not.toBe(before.accessToken);
    expect(after.refreshToken).not.toBe(before.refreshToken);
    expect(readdirSync(join(home.directory, 'flowgate', 'profiles'))).toEqual(['default.json']);
  });

  test('a sign-in that the issuer ended is reported with the command to run, and its tokens are not sent again', async () => {
    await login([gateway.url], asAlice);
    const profile = profileOf();
    writeFileSync(profileFile(), JSON.stringify({ ...profile, signIn: { ...profile.signIn, refreshToken: 'gone' } }));
    const ended = await home.run(['whoami'], { now: later });
    expect([ended.code, ended.stderr]).toEqual([
      1,
      `flowgate: your sign-in has ended\nflowgate login ${gateway.url}\n`,
    ]);
  });

  test('logout revokes the refresh token at the issuer and deletes the local profile', async () => {
    await login([gateway.url], asAlice);
    const { refreshToken } = profileOf().signIn;
    expect((await home.run(['logout'])).code).toBe(0);
    expect(profileOf()).toEqual({ version: 1, url: gateway.url });
    const renewal = await fetch(`${provider.issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: 'flowgate-cli',
        refresh_token: refreshToken,
      }),
    });
    expect(renewal.status).toBe(400);
    expect((await home.run(['whoami'])).code).toBe(2);
  });
});

describe('profiles', () => {
  test('profiles are listed, selected and removed; a credential is sent only to its own gateway', async () => {
    const seen: (string | null)[] = [];
    const other = serve((request) => {
      seen.push(request.headers.get('authorization'), request.headers.get('x-api-key'));
      return Response.json({}, { status: 401 });
    });
    await login([gateway.url], asAlice);
    for (const args of [
      ['whoami', '--url', other],
      ['networks', '--url', `${other}/`],
    ])
      expect((await home.run(args)).code).toBe(2);
    expect((await home.run(['whoami', '--profile', 'default', '--url', other])).code).toBe(2);
    expect(seen).toEqual([]);
    expect((await home.run(['whoami', '--url', `${gateway.url}/`])).code).toBe(0);
    // The environment variable applies to its own gateway, and the profile to the other.
    const environment = { FLOWGATE_URL: other, FLOWGATE_API_KEY: 'made-for-other' };
    await home.run(['networks'], { environment });
    expect(seen).toEqual([null, 'made-for-other']);
    expect((await home.run(['networks', '--profile', 'default'], { environment })).code).toBe(0);

    const listed = await home.run(['profiles', 'list']);
    expect(listed.stdout).toMatch(/^\s+PROFILE .*\n\*\s+default\s+http:\S+\s+yes/);
    expect((await home.run(['profiles', 'use', 'unknown'])).code).toBe(2);
    expect((await home.run(['profiles', 'remove', 'default'])).code).toBe(0);
    expect((await home.run(['profiles', 'list', '--json'])).stdout).toBe('{"data":[]}\n');
  });

  test('no profile name leads out of the directory', async () => {
    for (const name of ['../x', '/etc/passwd', 'a/b', '..', '', 'A', 'x'.repeat(64), 'con.'])
      expect([name, (await home.run(['profiles', 'use', name])).code]).toEqual([name, 2]);
  });

  test('a profile that others could read is made private, and the user is informed', async () => {
    await login([gateway.url], asAlice);
    chmodSync(profileFile(), 0o644);
    const { code, stderr } = await home.run(['whoami']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('could be read by others')]);
    expect(statSync(profileFile()).mode & 0o777).toBe(0o600);
  });

  test('an invalid profile is named, and no part of it is printed', async () => {
    mkdirSync(join(home.directory, 'flowgate', 'profiles'), { recursive: true });
    for (const text of ['', '{', '[]', '{"version":2,"url":"x","apiKey":"secret-text"}']) {
      writeFileSync(profileFile(), text, { mode: 0o600 });
      const { code, stderr } = await home.run(['whoami']);
      expect([code, stderr]).toEqual([1, expect.stringContaining('default.json is not a profile')]);
      expect(stderr).not.toContain('secret-text');
    }
  });
});

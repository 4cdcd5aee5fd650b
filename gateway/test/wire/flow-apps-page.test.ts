/** docs/flow-apps.md does what it says: its app runs as it stands, and its lines publish it and walk a session to its end (issue 4, Done when). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FlowEventPage, Session, Version } from '@flowgate/client/flow-wire';
import { refusalReasons } from '../../src/access/refusal.ts';
import { failures } from '../../src/http/failures.ts';
import { type RunningGateway, startGateway } from '../fixtures/running-gateway.ts';
import { page, tableAfter } from '../house/document-part.ts';

const docs = join(import.meta.dir, '..', '..', '..', 'docs');
const secret = `whsec_${Buffer.from('thirty-two bytes of test secret!').toString('base64')}`;

let gateway: RunningGateway;
let directory: string;
let app: Program;
let receiver: Program;

type Program = { readonly url: string; readonly lines: AsyncIterator<string>; readonly stop: () => Promise<void> };

/** What stands in the page's code blocks that begin with exactly this. */
async function blocks(opening: string): Promise<readonly string[]> {
  const text = await page('flow-apps.md');
  return [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].flatMap(([, info, code = '']) =>
    info === opening ? [code] : [],
  );
}

beforeAll(async () => {
  gateway = await startGateway({ config: { outbound: { allowPrivateHosts: ['127.0.0.1'] } } });
  directory = await mkdtemp(join(tmpdir(), 'flowgate-page-'));
  // Where `npm install standardwebhooks` would put it.
  await mkdir(join(directory, 'node_modules'));
  const installed = dirname(dirname(Bun.resolveSync('standardwebhooks', import.meta.dir)));
  await symlink(installed, join(directory, 'node_modules', 'standardwebhooks'));
  app = await start('guestbook', { SIGNING_SECRET: secret });
  receiver = await start('receiver', { WEBHOOK_SECRET: secret });
});
afterAll(async () => {
  await app?.stop();
  await receiver?.stop();
  await gateway?.stop();
  if (directory !== undefined) await rm(directory, { recursive: true, force: true });
});

/** The page's program of this name, as it stands. */
async function start(name: string, variables: Readonly<Record<string, string>>): Promise<Program> {
  const [code = ''] = await blocks(`ts ${name}.ts`);
  await Bun.write(join(directory, `${name}.ts`), code);
  const child = Bun.spawn([process.execPath, `${name}.ts`], {
    ...{ cwd: directory, stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' },
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', ...variables },
  });
  const lines = linesOf(child.stdout);
  const { value: first } = await lines.next();
  const [, url] = new RegExp(`^${name} at (http:\\S+)$`).exec(first ?? '') ?? [];
  if (url === undefined) throw new Error(`${name} began with: ${first}`);
  return {
    ...{ url, lines },
    stop: async () => {
      child.kill();
      await child.exited;
    },
  };
}

async function* linesOf(output: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of output) {
    text += decoder.decode(chunk, { stream: true });
    const whole = text.split('\n');
    text = whole.pop() ?? '';
    yield* whole;
  }
}

/** The JSON texts that the shell lines print, one after another. */
async function run(lines: string): Promise<readonly unknown[]> {
  const { apiKey } = await gateway.mint('ada');
  const child = Bun.spawn(['sh', '-e', '-c', lines.replaceAll('curl -sS', `curl -sS -w '\\n'`)], {
    env: {
      ...{ PATH: process.env['PATH'] ?? '', FLOWGATE_URL: gateway.url, FLOWGATE_API_KEY: apiKey },
      ...{ APP_URL: app.url, SIGNING_SECRET: secret, RECEIVER_URL: receiver.url, WEBHOOK_SECRET: secret },
    },
    ...{ stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
  });
  const [code, output, errors] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

test('the example is at most forty lines, and an unsigned request gets nothing from it', async () => {
  const [code = '', ...more] = await blocks('ts guestbook.ts');
  expect(more).toEqual([]);
  expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  const unsigned = await fetch(`${app.url}/renderStep`, { method: 'POST', body: '{"reason":"start"}' });
  expect(unsigned.status).toBe(401);
});

test('the page’s lines publish the app, walk a session to its end, and bring its event to the receiver (decisions 8)', async () => {
  const [publish = '', walk = '', subscribe = '', ...more] = await blocks('sh run');
  expect(more).toEqual([]);
  const [registered, version] = (await run(publish)) as [unknown, Version];
  expect(registered).toMatchObject({ appId: 'acme/guestbook', visibility: 'public' });
  expect(version).toMatchObject({ version: '1.0.0', baseUrl: app.url, status: 'active', startSteps: ['sign'] });
  expect(version).not.toHaveProperty('signingSecret');

  const [started, signed, events, names] = (await run(walk)) as [Session, Session, FlowEventPage, unknown];
  expect(started).toMatchObject({ status: 'active', stateVersion: 1, currentStep: { stepId: 'sign' } });
  expect(signed).toMatchObject({ status: 'completed', currentStep: { stepId: 'thanks', title: 'Thank you, Ada' } });
  expect(events.data.map(({ type }) => type)).toEqual([
    'session_created',
    'step_submitted',
    'signed',
    'session_completed',
  ]);
  expect(names).toEqual({ data: ['Ada'] });

  const [subscription] = await run(subscribe);
  expect(subscription).toMatchObject({ eventType: 'signed', status: 'active' });
  const [again] = (await run(walk)) as [Session];
  expect(await receiver.lines.next()).toEqual({ done: false, value: `signed ${again.sessionId} 2` });
});

test('the page’s table tells what to do about every refusal that Flow routes give (interface, ProblemDetails)', async () => {
  const told = tableAfter(await page('flow-apps.md'), '## When something goes wrong').flatMap(([answer = '']) => {
    const urn = /`([a-z-]+)`/.exec(answer)?.[1] ?? '';
    return [...answer.matchAll(/\b\d{3}\b/g)].map(([status]) => `${status} ${urn}`);
  });
  // What only a JSON-RPC message can be refused for has the same statuses and classes.
  const given = refusalReasons.map((reason) => `${failures[reason].status} ${failures[reason].urn}`);
  expect([...new Set(told)].toSorted()).toEqual([...new Set(given)].toSorted());
});

test('every file that the page links to is there', async () => {
  const links = [...(await page('flow-apps.md')).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, to = '']) => to);
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((to) => !existsSync(join(docs, to)))).toEqual([]);
});

/** The instructions of docs/flow-apps.md work: its app runs unchanged, and its commands publish it and complete a session. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FlowEventPage, Session, Version } from '@flowgate/client/flow-wire';
import { refusalReasons, refusals } from '../../src/api/refusal.ts';
import { type RunningGateway, startGateway } from '../fixtures/running-gateway.ts';
import { page, tableAfter } from '../house/document-part.ts';

const docs = join(import.meta.dir, '..', '..', '..', 'docs');
let gateway: RunningGateway;
let directory: string;
let app: Program;
let nodeApp: Program;
let receiver: Program;

type Program = { readonly url: string; readonly lines: AsyncIterator<string>; readonly stop: () => Promise<void> };

/** The contents of the page's code blocks that begin with exactly this. */
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
  const [setup = ''] = await blocks('sh setup');
  const { code, stderr } = await shell(setup);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { apiKey } = await gateway.mint('ada');
  await Bun.write(join(directory, 'dev.env'), `FLOWGATE_URL=${gateway.url}\nFLOWGATE_API_KEY=${apiKey}\n`);
  app = await start('guestbook', 'ts', process.execPath);
  nodeApp = await start('guestbook', 'mjs', 'node');
  receiver = await start('receiver', 'ts', process.execPath);
});
afterAll(async () => {
  await app?.stop();
  await nodeApp?.stop();
  await receiver?.stop();
  await gateway?.stop();
  if (directory !== undefined) await rm(directory, { recursive: true, force: true });
});

/** The page's program of this name, unchanged, with the variables that the page sets in every terminal and a port of its own. */
async function start(name: string, ending: 'ts' | 'mjs', runtime: string): Promise<Program> {
  const [code = ''] = await blocks(`${ending === 'ts' ? 'ts' : 'js'} ${name}.${ending}`);
  await Bun.write(join(directory, `${name}.${ending}`), code);
  const [variables = ''] = await blocks('sh every-terminal');
  const child = Bun.spawn(['sh', '-euc', `${variables}exec "${runtime}" ${name}.${ending}`], {
    ...{ cwd: directory, stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' },
    env: { PATH: process.env['PATH'] ?? '', PORT: '0' },
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

/** Runs lines in the page's directory, in a shell in which an unset variable is an error. */
async function shell(lines: string) {
  const child = Bun.spawn(['sh', '-euc', lines], {
    ...{ cwd: directory, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
    env: { PATH: process.env['PATH'] ?? '' },
  });
  const [code, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  return { code, stdout, stderr };
}

/** The JSON texts that the shell lines print, one after another; only the ports are others than the page's. */
async function run(lines: string, appUrl = app.url): Promise<readonly unknown[]> {
  const [variables = ''] = await blocks('sh every-terminal');
  const ports = `APP_URL=${appUrl} RECEIVER_URL=${receiver.url}\n`;
  const {
    code,
    stdout: output,
    stderr: errors,
  } = await shell(`${variables}${ports}${lines.replaceAll('curl -sS', `curl -sS -w '\\n'`)}`);
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

test('the page’s lines publish the app, walk a session to its end, and bring its event to the receiver (contract/flow-apps)', async () => {
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

test('the same app in plain Node.js is published and walked through by the same lines', async () => {
  const [publish = '', walk = ''] = (await blocks('sh run')).map((lines) => lines.replaceAll('acme/', 'acme-node/'));
  expect((await run(publish, nodeApp.url))[1]).toMatchObject({ baseUrl: nodeApp.url, status: 'active' });
  const [, signed, , names] = await run(walk, nodeApp.url);
  expect(signed).toMatchObject({ status: 'completed', currentStep: { title: 'Thank you, Ada' } });
  expect(names).toEqual({ data: ['Ada'] });
  expect((await fetch(`${nodeApp.url}/renderStep`, { method: 'POST', body: '{"reason":"start"}' })).status).toBe(401);
});

test('the page’s table tells what to do about every refusal that Flow routes give (contract/errors#problemdetails)', async () => {
  const told = tableAfter(await page('flow-apps.md'), '## When something goes wrong').flatMap(([answer = '']) => {
    const urn = /`([a-z-]+)`/.exec(answer)?.[1] ?? '';
    return [...answer.matchAll(/\b\d{3}\b/g)].map(([status]) => `${status} ${urn}`);
  });
  // Refusals that only a JSON-RPC message can get have the same statuses and classes.
  const given = refusalReasons.map((reason) => `${refusals[reason].status} ${refusals[reason].urn}`);
  expect([...new Set(told)].toSorted()).toEqual([...new Set(given)].toSorted());
});

test('every file that the page links to is there', async () => {
  const links = [...(await page('flow-apps.md')).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, to = '']) => to);
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((to) => !existsSync(join(docs, to)))).toEqual([]);
});

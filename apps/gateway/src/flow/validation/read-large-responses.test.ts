import { afterEach, expect, test } from 'bun:test';
import { createTimerWheel } from '@flowgate/async/timer-wheel';
import { systemClock } from '@flowgate/base/clock';
import { createContentFilter } from '@flowgate/content-filter/content-filter';
import { type ResponseReading, readResponse } from '@flowgate/flow-format/app-responses/read-response';
import { scanFor } from '@flowgate/testing/secret-scan';
import { matchPatternsBy } from './match-patterns.ts';
import { createReadResponse, smallResponseBytes } from './read-large-responses.ts';
import { createValidationQueue, type ValidationQueue, type ValidationQueueOptions } from './validation-queue.ts';

const settings = { disable: [], rules: [{ ruleId: 'house', pattern: 'airdrop' }] };
const manifest = { stepIds: ['first'], eventTypes: [] };
const spawned: Worker[] = [];
let opened: ValidationQueue[] = [];

afterEach(() => {
  for (const queue of opened) queue.close();
  opened = [];
  spawned.length = 0;
});

function open(more: Partial<ValidationQueueOptions> = {}) {
  const troubles: string[] = [];
  const queue = createValidationQueue({
    settings,
    clock: systemClock,
    timerWheel: createTimerWheel(systemClock, 5),
    onTrouble: (appId, trouble) => troubles.push(`${appId} ${trouble}`),
    // Long limits, so that a busy machine fails no test; tests about a time limit set their own.
    maxWorkMs: 120_000,
    maxWaitingMs: 240_000,
    ...more,
  });
  opened.push(queue);
  const readResponse = createReadResponse(createContentFilter(settings), queue);
  const read = async (appId: string, response: unknown, secrets: readonly string[] = [], userId = 'alice') =>
    readResponse(
      { userId, appId },
      {
        ...{ bytes: bytesOf(response), manifest, secrets: scanFor(secrets), linkDomains: [] },
      },
    );
  return { queue, read, troubles, matchPatterns: matchPatternsBy(queue) };
}

const bytesOf = (response: unknown) => new TextEncoder().encode(JSON.stringify(response));
const answerWith = (options: unknown) => ({
  step: { stepId: 'first', title: 'T', fields: [], actions: [{ actionId: 'go', label: 'Go' }], options },
});
const texts = (text: string, count: number) =>
  answerWith({ list: Array.from({ length: count }, (_, at) => text + at) });
const large = texts('an unremarkable sentence ', 400);
/** A response of the maximum size, in step and events, with the text that takes the filter longest. */
const longest = { text: 'do not tell the '.repeat(11_000) };
const hostile = { ...answerWith(longest), events: [{ type: 'noted', data: longest }] };

/** A worker that reports ready, and then runs `code` for each piece of work. */
const thread = (code: string) => () => {
  const text = `self.onmessage = ({ data }) => { if ('settings' in data) self.postMessage('ready'); else { ${code} } };`;
  const worker = new Worker(URL.createObjectURL(new Blob([text], { type: 'application/javascript' })));
  spawned.push(worker);
  return worker;
};
const forEver = thread('for (;;);');
const answering = thread(`self.postMessage({ result: '{"ok":true}' });`);
/** A worker that never replies. */
const silent = thread('');

test('a large response is read like a small one: the same checks, secrets, rules and pointers (contract/flow-apps#answers)', async () => {
  const { read } = open();
  const contentFilter = createContentFilter(settings);
  const cases: readonly (readonly [unknown, readonly string[]])[] = [
    [large, []],
    [{ ...large, state: JSON.parse('{"__proto__":{"a":1},"é":"\\u0000"}'), appData: { set: { a: [1.5, null] } } }, []],
    [{ errors: [{ message: 'too little' }], state: texts('x', 2_000) }, []],
    [large, ['sentence 399']],
    [texts('claim your airdrop ', 500), []],
    [{ ...large, status: 'gone' }, []],
    ['x'.repeat(20_000), []],
    [texts('ﷺ', 3_000), []],
  ];
  for (const [response, secrets] of cases) {
    const bytes = bytesOf(response);
    expect(bytes.length).toBeGreaterThan(smallResponseBytes);
    const atOnce = JSON.stringify(
      readResponse({ bytes, manifest, secrets: scanFor(secrets), linkDomains: [] }, contentFilter),
    );
    expect(JSON.stringify(await read('acme/shop', response, secrets))).toBe(atOnce);
  }
});

test('a small response is read synchronously, without a worker', async () => {
  const { read } = open({
    spawn: () => {
      throw new Error('a worker was started');
    },
  });
  expect(await read('acme/shop', answerWith({ text: 'x'.repeat(smallResponseBytes - 200) }))).toMatchObject({
    ok: true,
  });
});

test('the event loop continues while hostile responses are read, and an honest app waits for at most one of them (contract/flow-apps#answers)', async () => {
  const { read } = open();
  await read('acme/shop', large);
  const order: string[] = [];
  const note = (name: string) => () => order.push(name);
  const readings = Array.from({ length: 4 }, (_, at) =>
    read('evil/app', hostile, [], `user ${at % 3}`).then(note('hostile')),
  );
  readings.push(read('acme/shop', large).then(note('honest')));
  // If they were read on the event loop, each of the five would block one turn.
  let turns = 0;
  while (order.length < 5) {
    await new Promise((resolve) => setImmediate(resolve));
    turns += 1;
  }
  await Promise.all(readings);
  expect(turns).toBeGreaterThan(100);
  expect(order.indexOf('honest')).toBeLessThan(2);
});

test('a response that takes too long to read is refused, not retryable, and the next one is read by a new worker', async () => {
  const threads = [forEver, forEver, answering];
  // An honest worker on a busy machine needs a fraction of a second to start and to answer.
  const { read, troubles } = open({ maxWorkMs: 1_000, spawn: () => (threads[spawned.length] ?? answering)() });
  const late: ResponseReading = { ok: false, retryable: false, detail: "the app's answer takes too long to check" };
  expect(await Promise.all([read('evil/app', large), read('evil/app', large), read('acme/shop', large)])).toEqual([
    late,
    expect.anything(),
    expect.anything(),
  ]);
  expect(troubles[0]).toBe('evil/app late');
  expect(await read('acme/shop', large)).toMatchObject({ ok: true });
  expect(spawned).toHaveLength(3);
});

test.each([
  ['throws', `throw new Error('hunter22')`],
  ['ends', 'process.exit(1)'],
])('a worker that %s fails the one response that it was reading, with a retryable error', async (_, code) => {
  const dying = thread(code);
  const { read, troubles } = open({ spawn: () => (spawned.length === 0 ? dying : answering)() });
  const [first, second] = await Promise.all([read('evil/app', large), read('acme/shop', large)]);
  expect(first).toEqual({ ok: false, retryable: true, detail: "the app's answer could not be checked" });
  expect(second).toMatchObject({ ok: true });
  expect(troubles).toEqual(['evil/app died']);
  expect(spawned).toHaveLength(2);
});

test('a worker that cannot start fails the waiting response, and is started again for the next one', async () => {
  const broken = () => {
    const worker = new Worker(URL.createObjectURL(new Blob(['throw new Error()'], { type: 'application/javascript' })));
    spawned.push(worker);
    return worker;
  };
  const { read } = open({ spawn: () => (spawned.length === 0 ? broken : answering)() });
  expect(await read('acme/shop', large)).toMatchObject({ ok: false, retryable: true });
  expect(await read('acme/shop', large)).toMatchObject({ ok: true });
});

test('a response that the full queue refuses is retryable; no user or app uses the slots of another', async () => {
  const { queue, read } = open({ spawn: silent });
  const crowded: ResponseReading = {
    ok: false,
    retryable: true,
    detail: 'too many large answers of apps are being checked',
  };
  // One is being read and four are waiting.
  const waiting = Array.from({ length: 5 }, () => read('evil/app', large));
  expect(await Promise.all([read('evil/app', large), read('acme/shop', large)])).toEqual([crowded, crowded]);
  for (let user = 0; user < 12; user++) waiting.push(read('evil/app', large, [], `user ${user}`));
  expect(await read('evil/app', large, [], 'bob')).toEqual(crowded);
  const other = read('acme/shop', large, [], 'bob');
  const first = await Promise.race([other, new Promise((resolve) => setImmediate(() => resolve('waits')))]);
  expect(first).toBe('waits');
  queue.close();
  expect((await Promise.all([...waiting, other])).every((each) => !each.ok && each.retryable)).toBe(true);
  expect(await read('acme/shop', large)).toEqual(crowded);
});

test('no response waits longer than the limit', async () => {
  const { read } = open({ spawn: silent, maxWaitingMs: 20 });
  void read('evil/app', large);
  expect(await read('acme/shop', large)).toMatchObject({ ok: false, retryable: true });
});

const shopper = { userId: 'alice', appId: 'acme/shop' };
const pattern = '(\\pL|\\d|\\w){60}z';
const patterned = Array.from({ length: 4 }, (_, at) => ({ fieldId: `f${at}`, pattern, text: 'a'.repeat(1_000) }));

test('patterns that may take long are matched in the worker, with the same outcome (contract/sessions#fields)', async () => {
  const { matchPatterns } = open();
  const mismatch = (fieldId: string) => ({ fieldId, message: 'must match its pattern' });
  expect(await matchPatterns(shopper, patterned)).toEqual(patterned.map(({ fieldId }) => mismatch(fieldId)));
  const fitting = patterned.map((each) => ({ ...each, text: `${'a'.repeat(60)}z` }));
  expect(matchPatterns(shopper, fitting)).toBeInstanceOf(Promise);
  expect(await matchPatterns(shopper, fitting)).toEqual([]);
  const [first] = fitting;
  expect(first === undefined ? first : matchPatterns(shopper, [{ ...first, pattern: '[a-z]{1,200}' }])).toEqual([]);
  expect(matchPatterns(shopper, [{ fieldId: 'f0', pattern: '[0-9]+', text: 'a' }])).toEqual([mismatch('f0')]);
});

test('a small response whose patterns take long to compile is read in the worker, too', async () => {
  const { read } = open({ spawn: answering });
  const field = (each: string) => ({ fieldId: 'f', type: 'text', label: 'L', pattern: each });
  const withPattern = (each: string) => ({ step: { ...answerWith({}).step, fields: [field(each)] } });
  await read('acme/shop', withPattern('[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}'));
  expect(spawned).toHaveLength(0);
  await read('evil/app', withPattern('(?i)[Ā-￿][Ā-￿]'));
  expect(spawned).toHaveLength(1);
});

test('submissions are refused if the queue is full or their patterns take too long', async () => {
  const crowded = open({ spawn: silent, maxWaitingMs: 20 });
  void crowded.matchPatterns({ ...shopper, appId: 'evil/app' }, patterned);
  expect(await crowded.matchPatterns(shopper, patterned)).toMatchObject({ reason: 'unavailable' });
  const slow = open({ spawn: forEver, maxWorkMs: 20 });
  expect(await slow.matchPatterns({ ...shopper, appId: 'evil/app' }, patterned)).toMatchObject({
    reason: 'bad-gateway',
    retryable: false,
  });
});

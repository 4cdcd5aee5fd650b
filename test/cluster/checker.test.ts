/** The checker finds every kind of planted violation, and does not report possibly correct behavior. */

import { describe, expect, test } from 'bun:test';
import { check, type Rule } from './checker.ts';
import { createRecorder, type Entry, type History, type MarkKind, type Recorder, settledBy } from './history.ts';

const limit = 10;
let now = 0;
const clock = { monotonic: () => now };
const wallMs = 1_700_000_000_000;

function recorder(): Recorder {
  now = 0;
  return createRecorder(
    { userPerMinute: limit, activeKeys: 10, gateways: ['a', 'b', 'c'], answerWithinMs: 2_000 },
    clock,
  );
}

/** A request of `u1` to gateway a that takes 2 ms and has the given answer, without rate-limit headers by default. */
function entry(startMs: number, more: Partial<Entry> = {}): Entry {
  return {
    operation: 'call',
    startMs,
    endMs: startMs + 2,
    endWallMs: wallMs + startMs + 2,
    userId: 'u1',
    cost: 1,
    via: 'a',
    servedBy: 'a',
    outcome: 'answered',
    status: 200,
    hasRequestId: true,
    phase: 'test',
    ...more,
  };
}

/** By default, `Remaining` is the value of exact counters. */
const honest = Number.NaN;

function allowance(startMs: number, remaining = honest) {
  return { limits: { limit, remaining, resetSeconds: Math.ceil((wallMs + startMs + 30_000) / 1000) } };
}

const served = (startMs: number, remaining = honest, more: Partial<Entry> = {}) =>
  entry(startMs, { ...allowance(startMs, remaining), ...more });

const limited = (startMs: number, more: Partial<Entry> = {}) =>
  served(startMs, 0, {
    status: 429,
    retryAfter: '30',
    error: { envelope: 'standard', status: 429, label: 'Too many requests' },
    ...more,
  });

const invalid = { status: 403, error: { envelope: 'rpc', code: -32001, message: 'Invalid credentials.' } } as const;

const keyId = 'k'.repeat(16);
const mint = (startMs: number, more: Partial<Entry> = {}) =>
  served(startMs, honest, { operation: 'mint', status: 201, keyId, ...more });
const revoke = (startMs: number, more: Partial<Entry> = {}) =>
  served(startMs, honest, { operation: 'revoke', status: 204, keyId, ...more });

function history(...entries: Entry[]): Recorder {
  const made = recorder();
  for (const each of entries) made.add(countedHonestly(each, entries));
  return made;
}

function countedHonestly(entry: Entry, entries: readonly Entry[]): Entry {
  if (entry.limits === undefined || !Number.isNaN(entry.limits.remaining)) return entry;
  const used = entries
    .filter(
      ({ userId, startMs, limits, status }) =>
        userId === entry.userId &&
        limits !== undefined &&
        status !== 429 &&
        startMs <= entry.startMs &&
        startMs > entry.startMs - 60_000,
    )
    .reduce((sum, { cost }) => sum + cost, 0);
  return { ...entry, limits: { ...entry.limits, remaining: Math.max(0, limit - used) } };
}

function mark(made: Recorder, kind: MarkKind, fromMs: number, toMs: number, service?: string): Recorder {
  now = fromMs;
  const end = made.mark(kind, service);
  now = toMs;
  end();
  return made;
}

/** Expects violations of this rule only. */
function breaks(made: History, rule: Rule, text: RegExp): void {
  const found = check(made);
  expect(found.map((violation) => violation.rule)).toEqual(found.map(() => rule));
  expect(found.map((violation) => violation.text).join('\n')).toMatch(text);
}

const upTo = (count: number, stepMs: number, more: Partial<Entry> = {}) =>
  Array.from({ length: count }, (_, at) => served(at * stepMs, honest, more));

describe('limits', () => {
  const atLimit = upTo(limit, 100);
  /** The headers of the eleventh request report one used request, as from a gateway with its own counters. */
  const ownCounters = (startMs: number) => served(startMs, limit - 1, { servedBy: 'b', via: 'b' });

  test('the limit may be used up, and again after 60 s', () => {
    expect(check(history(...atLimit, limited(5_000)))).toEqual([]);
    expect(
      check(history(...atLimit, ...upTo(limit, 100).map((each) => ({ ...each, ...later(each, 60_100) })))),
    ).toEqual([]);
  });

  test('one more than the limit within 60 s is found, also by its headers', () => {
    const found = check(history(...atLimit, ownCounters(58_000)));
    expect(found.map(({ rule }) => rule)).toEqual(['limit', 'headers']);
    expect(found[0]?.text).toMatch(/^u1: 11 admitted within 60 s .* by counters of all nodes/);
  });

  test('a batch counts as its messages', () => {
    const found = check(history(served(0, honest, { cost: 6 }), served(10, honest, { cost: 6 })));
    expect(found.map(({ text }) => text).join('\n')).toMatch(/12 admitted/);
  });

  test('requests that may have been outside the window are not counted', () => {
    const slow = { ...served(0), endMs: 700, endWallMs: wallMs + 700 };
    const rest = Array.from({ length: limit - 1 }, (_, at) => served(59_000 + at));
    // It was admitted at some time from 0 to 700, so possibly more than 60 s before this one.
    expect(check(history(slow, ...rest, served(60_500, 0)))).toEqual([]);
  });

  test('while the counters are unavailable, each gateway may admit the limit, but no more', () => {
    const unavailable = (...entries: Entry[]) => mark(history(...entries), 'counters-unavailable', 0, 70_000);
    const each = ['a', 'b', 'c'].flatMap((servedBy) => upTo(limit, 100, { servedBy, via: servedBy }));
    expect(check(unavailable(...each))).toEqual([]);
    breaks(unavailable(...each, served(5_000, 0)), 'limit', /11 admitted .* through a alone/);
  });

  test('admissions before and after an outage without data loss count together', () => {
    const before = upTo(limit, 100);
    const after = served(20_000, 0);
    const found = check(mark(history(...before, after), 'counters-unavailable', 5_000, 10_000));
    expect(found.map(({ text }) => text).join('\n')).toMatch(/11 admitted .* by counters of all nodes/);
  });

  test('a restarted gateway has one new limit of its own', () => {
    const again = (...more: Entry[]) => {
      const entries = [...atLimit, ...upTo(limit, 100).map((each) => ({ ...each, ...later(each, 20_000) })), ...more];
      return mark(mark(history(...entries), 'counters-unavailable', 0, 70_000), 'gateway-down', 5_000, 6_000, 'a');
    };
    expect(check(again())).toEqual([]);
    breaks(again(served(30_000)), 'limit', /11 admitted .* through a, start 2, alone/);
  });

  test('emptied counters start again', () => {
    const elsewhere = served(20_000, limit - 1, { servedBy: 'b', via: 'b' });
    const made = mark(history(...atLimit, elsewhere), 'counters-unavailable', 5_000, 10_000);
    now = 5_000;
    made.note('counters-emptied');
    expect(check(made)).toEqual([]);
  });
});

function later({ startMs, endMs, endWallMs, limits }: Entry, byMs: number): Partial<Entry> {
  return {
    startMs: startMs + byMs,
    endMs: endMs + byMs,
    endWallMs: endWallMs + byMs,
    ...(limits === undefined ? {} : { limits: { ...limits, resetSeconds: limits.resetSeconds + byMs / 1000 } }),
  };
}

describe('revocations', () => {
  const refused = (startMs: number, node: string) => entry(startMs, { keyId, servedBy: node, via: node, ...invalid });
  /** The key was accepted; a 429 also proves that. */
  const accepted = (startMs: number, node: string) => served(startMs, honest, { keyId, servedBy: node, via: node });

  test('a key that fails at once passes, also one that fails slightly later on other gateways', () => {
    expect(check(history(mint(0), revoke(100), refused(103, 'a'), accepted(110, 'b'), refused(300, 'b')))).toEqual([]);
  });

  test('an acceptance by the revoking gateway after its response is found', () => {
    breaks(
      history(mint(0), revoke(100), accepted(103, 'a')),
      'revocation',
      /accepted at a 1 ms after its revocation there/,
    );
  });

  test('an acceptance that was sent before the response proves nothing', () => {
    expect(check(history(mint(0), revoke(100), accepted(101, 'a')))).toEqual([]);
  });

  test('a 429 after a revocation is found, because the gateway accepted the key', () => {
    const late = limited(103, { keyId });
    const made = history(mint(0), revoke(100), ...upTo(limit, 1, { userId: 'u1' }), late);
    expect(check(made).map(({ rule }) => rule)).toContain('revocation');
  });

  test('an acceptance at another gateway after five seconds is found, with or without pub/sub', () => {
    breaks(history(mint(0), revoke(100), accepted(5_200, 'b')), 'revocation', /accepted at b 5098 ms after .*bus up/);
    const busDown = mark(history(mint(0), revoke(100), accepted(5_200, 'b')), 'counters-unavailable', 50, 9_000);
    breaks(busDown, 'revocation', /bus down: 5000/);
  });

  test('a revocation may take a minute without pub/sub and database, but not longer', () => {
    const withoutBoth = (lastMs: number) => {
      const made = history(mint(0), revoke(100), accepted(lastMs, 'b'));
      return mark(mark(made, 'counters-unavailable', 50, 90_000), 'database-unavailable', 150, 90_000);
    };
    expect(check(withoutBoth(59_000))).toEqual([]);
    breaks(withoutBoth(60_200), 'revocation', /bus and database down: 60000/);
  });

  test('the time in which a gateway was paused does not count', () => {
    const made = (lastMs: number) =>
      mark(history(mint(0), revoke(100), accepted(lastMs, 'b')), 'gateway-paused', 90, 3_000, 'b');
    expect(check(made(7_000))).toEqual([]);
    breaks(made(8_100), 'revocation', /node paused/);
  });

  test('one in a hundred may be later than 250 ms, and one more by chance, but no others', () => {
    const many = (late: number) =>
      history(
        ...Array.from({ length: 60 }, (_, at) => ({ userId: `u${at}`, keyId: `${at}` })).flatMap((whose, at) => [
          mint(0, whose),
          revoke(100, whose),
          ...['b', 'c'].map((node) => ({ ...accepted(at < late && node === 'b' ? 900 : 110, node), ...whose })),
        ]),
      );
    expect(check(many(2))).toEqual([]);
    breaks(many(3), 'revocation', /3 of 120 revocations took more than 250 ms with the bus up/);
  });
});

describe('keys', () => {
  const list = (startMs: number, ...listed: readonly { keyId: string; revokedAt?: string }[]) =>
    served(startMs, honest, { operation: 'list', listed });
  const at = '2026-01-01T00:00:00.000Z';

  test('a key that is created, listed, revoked and listed as revoked is no violation', () => {
    const used = upTo(3, 10);
    expect(
      check(history(mint(0), ...used, list(50, { keyId }), revoke(60), list(70, { keyId, revokedAt: at }))),
    ).toEqual([]);
  });

  test('an acknowledged key that is in no list is found', () => {
    breaks(history(mint(0), list(10)), 'keys', /minted and is missing/);
  });

  test('an acknowledged key that is refused is found', () => {
    breaks(history(mint(0), entry(10, { keyId, ...invalid })), 'keys', /refused as invalid at a/);
  });

  test('a creation without a response may have any outcome', () => {
    const { status: _, limits: __, ...unanswered } = mint(0);
    const made = history({ ...unanswered, outcome: 'broken' }, entry(10, { keyId, ...invalid }), list(20, { keyId }));
    expect(check(mark(made, 'gateway-down', 0, 5, 'a'))).toEqual([]);
  });

  test('an acknowledged revocation that was reverted is found', () => {
    breaks(history(mint(0), revoke(10), list(20, { keyId })), 'keys', /revoked and is active/);
  });

  test('a list may show a revocation that is answered later', () => {
    const slow = revoke(5, { endMs: 30, endWallMs: wallMs + 30 });
    const made = history(mint(0), slow, list(10, { keyId, revokedAt: at }));
    expect(check(settledBy(made, 20))).toEqual([]);
  });

  test('a revocation without a request is found', () => {
    breaks(history(mint(0), list(20, { keyId, revokedAt: at })), 'keys', /which no one asked for/);
  });

  test('a changing time of revocation is found', () => {
    const made = history(
      mint(0),
      revoke(10),
      list(20, { keyId, revokedAt: at }),
      list(30, { keyId, revokedAt: `${at}!` }),
    );
    breaks(made, 'keys', /revokedAt was/);
  });

  test('an eleventh active key is found, created or listed', () => {
    const minted = Array.from({ length: 11 }, (_, each) => mint(each * 10_000, { keyId: `k${each}` }));
    expect(check(history(...minted)).map(({ text }) => text)).toContain('u1 had 11 active keys at once');
    breaks(
      history(list(0, ...minted.map((each) => ({ keyId: each.keyId ?? '' })))),
      'keys',
      /11 active keys in the list/,
    );
  });
});

describe('refusals', () => {
  const rest = (status: number, label: string, more: Partial<Entry> = {}) =>
    entry(0, { status, error: { envelope: 'standard', status, label }, ...more });

  test('the documented refusals are no violation', () => {
    const unavailable = rest(503, 'Service unavailable', { retryAfter: '1' });
    const unverifiable = entry(0, {
      status: 500,
      error: { envelope: 'rpc', code: -32002, message: 'Internal server error.' },
    });
    expect(check(history(entry(0, invalid), unavailable, unverifiable, limited(0, { userId: 'u2' })))).toHaveLength(1);
    expect(check(history(entry(0, invalid), unavailable, unverifiable))).toEqual([]);
  });

  const planted: Readonly<Record<string, Entry>> = {
    'an undocumented status': rest(418, 'Teapot'),
    'a status of another surface': rest(401, 'Unauthorized'),
    'a wrong code': entry(0, {
      status: 403,
      error: { envelope: 'rpc', code: -32000, message: 'Invalid credentials.' },
    }),
    'a body in no envelope': entry(0, { status: 502, error: { envelope: 'foreign', text: '<html>' } }),
    '503 without Retry-After': rest(503, 'Service unavailable'),
    'Retry-After where it does not belong': entry(0, { ...invalid, retryAfter: '1' }),
    'no request id': entry(0, { ...invalid, hasRequestId: false }),
    'a broken connection that nothing explains': entry(0, { outcome: 'broken' }),
    'an answer after the bound': { ...entry(0, invalid), endMs: 2_100 },
  };
  for (const [name, plant] of Object.entries(planted))
    test(name, () => {
      const { status, ...silent } = plant;
      breaks(history(plant.outcome === 'answered' && status !== undefined ? plant : silent), 'refusal', /./);
    });

  test('a missing response is excused by a fault of that gateway only', () => {
    const { status: _, ...plain } = entry(1_000);
    const hung: Entry = { ...plain, outcome: 'hung', endMs: 6_000 };
    expect(check(mark(history(hung), 'gateway-paused', 900, 3_000, 'a'))).toEqual([]);
    breaks(mark(history(hung), 'gateway-paused', 900, 3_000, 'b'), 'refusal', /no answer \(hung\)/);
    breaks(mark(history(hung), 'database-unavailable', 900, 3_000), 'refusal', /no answer \(hung\)/);
  });

  test('the balancer may refuse by itself during faults of gateways', () => {
    const { servedBy: _, ...own } = rest(503, 'Service unavailable', { retryAfter: '1', via: 'balancer' });
    expect(check(mark(history(own), 'gateway-down', 0, 10, 'b'))).toEqual([]);
    breaks(history(own), 'refusal', /balancer's own 503/);
  });
});

describe('headers', () => {
  const planted: Readonly<Record<string, Entry>> = {
    'an answer without them': entry(0),
    'no whole numbers': entry(0, { malformedLimits: 'Remaining -1' }),
    "another user's limit": entry(0, { limits: { limit: 99, remaining: 98, resetSeconds: wallMs / 1000 + 1 } }),
    'a Remaining that leaves this request out': served(0, limit),
    'a refusal below the limit': limited(0, { ...allowance(0, 3) }),
    'a Reset more than a minute away': entry(0, { limits: { limit, remaining: 9, resetSeconds: wallMs / 1000 + 62 } }),
    'a Reset in the past': entry(0, { limits: { limit, remaining: 9, resetSeconds: wallMs / 1000 - 1 } }),
  };
  for (const [name, plant] of Object.entries(planted))
    test(`${name} is found`, () => breaks(history(plant), 'headers', /./));

  test('a Remaining that ignores certainly admitted requests is found', () => {
    breaks(history(served(0, 9), served(10, 9)), 'headers', /2 were certainly admitted/);
  });

  test('a Remaining that counts requests which were not sent, such as a repeated increment, is found', () => {
    breaks(history(served(0, 9), served(10, 7)), 'headers', /at most 2 can have been/);
  });

  test('a list that the balancer retried at every gateway may have counted at each', () => {
    const list = (via: string) => served(0, 9, { operation: 'list', via, listed: [] });
    expect(check(history(list('balancer'), served(10, 6)))).toEqual([]);
    breaks(history(list('balancer'), served(10, 5)), 'headers', /at most 4 can have been/);
    breaks(history(list('a'), served(10, 6)), 'headers', /at most 2 can have been/);
  });

  test('a request in flight may have counted: entries that ended after it was sent are not checked yet', () => {
    const made = history(served(0, 9), served(10, 7));
    expect(check(made)).toHaveLength(1);
    const inFlightSinceMs = 5;
    expect(check(settledBy(made, inFlightSinceMs))).toEqual([]);
  });

  test('a request that was sent earlier and ended later explains earlier answers', () => {
    const slow = served(1, 8, { endMs: 30, endWallMs: wallMs + 30 });
    const made = history(served(0, 9), slow, served(10, 7));
    const inFlightSinceMs = 20;
    expect(check(settledBy(made, inFlightSinceMs))).toEqual([]);
    breaks(settledBy(history(served(0, 9), served(10, 7)), inFlightSinceMs), 'headers', /at most 2 can have been/);
  });

  test('requests without an answer may have counted, until the cluster was healthy again', () => {
    const { status: _, limits: __, ...unanswered } = served(5, 0);
    const broken: Entry = { ...unanswered, outcome: 'broken' };
    const made = history(served(0, 9), broken, served(10, 7));
    expect(check(mark(made, 'gateway-down', 5, 8, 'a'))).toEqual([]);
    const after = { ...served(80_000, 8) };
    const longAgo = mark(history(broken, after), 'gateway-down', 5, 8, 'a');
    now = 9_000;
    longAgo.healed();
    breaks(longAgo, 'headers', /at most 1 can have been/);
  });
});

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { CircuitBreaker, type Ticket, uncounted } from './circuit-breaker.ts';

/** Records `count` calls that end at once. */
function calls(breaker: CircuitBreaker, nowMs: number, count: number, outcome: 'good' | 'failed' | 'unsent'): void {
  for (let at = 0; at < count; at++) {
    const ticket = breaker.begin(nowMs);
    if (outcome === 'good') breaker.succeeded(ticket);
    else breaker.failed(ticket, nowMs, outcome === 'failed');
  }
}

function opened(nowMs: number): CircuitBreaker {
  const breaker = new CircuitBreaker();
  calls(breaker, nowMs, 5, 'unsent');
  expect(breaker.isOpen).toBe(true);
  return breaker;
}

describe('a circuit breaker opens (contract/routing#circuit-breaker)', () => {
  test('when half of at least ten calls failed, and not before', () => {
    const breaker = new CircuitBreaker();
    calls(breaker, 0, 5, 'good');
    calls(breaker, 0, 4, 'failed');
    expect(breaker.isOpen).toBe(false);
    calls(breaker, 0, 1, 'failed');
    expect(breaker.isOpen).toBe(true);
  });

  test('not when fewer than half failed', () => {
    const breaker = new CircuitBreaker();
    for (let at = 0; at < 100; at++) {
      calls(breaker, at, 2, 'good');
      calls(breaker, at, 1, 'failed');
    }
    expect(breaker.isOpen).toBe(false);
  });

  test('from the calls of ten seconds only', () => {
    const breaker = new CircuitBreaker();
    calls(breaker, 500, 9, 'failed');
    calls(breaker, 11_500, 1, 'failed');
    expect(breaker.isOpen).toBe(false);
    const another = new CircuitBreaker();
    calls(another, 500, 1_000, 'good');
    calls(another, 11_500, 10, 'failed');
    expect(another.isOpen).toBe(true);
  });

  test('when five calls in a row could not be sent', () => {
    const breaker = new CircuitBreaker();
    calls(breaker, 0, 100, 'good');
    calls(breaker, 0, 4, 'unsent');
    calls(breaker, 0, 1, 'good');
    calls(breaker, 0, 4, 'unsent');
    calls(breaker, 0, 1, 'failed');
    calls(breaker, 0, 4, 'unsent');
    expect(breaker.isOpen).toBe(false);
    calls(breaker, 0, 1, 'unsent');
    expect(breaker.isOpen).toBe(true);
  });
});

describe('an open circuit breaker', () => {
  test('is probed after 1, 2, 4 … 60 seconds', () => {
    const breaker = opened(0);
    let nowMs = 0;
    for (const waitMs of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      expect(breaker.waitMs).toBe(waitMs);
      expect(breaker.isDue(nowMs + waitMs - 1)).toBe(false);
      nowMs += waitMs;
      expect(breaker.isDue(nowMs)).toBe(true);
      calls(breaker, nowMs, 1, 'failed');
    }
  });

  test('has one probe at a time, regardless of other calls', () => {
    const breaker = opened(0);
    const probe = breaker.begin(1_000);
    expect(breaker.isDue(1_000)).toBe(false);
    breaker.failed(breaker.begin(1_000), 1_000, true);
    expect([breaker.isDue(90_000), breaker.waitMs]).toEqual([false, 1_000]);
    breaker.failed(probe, 90_000, true);
    expect([breaker.isDue(91_999), breaker.isDue(92_000)]).toEqual([false, true]);
  });

  test('closes after two successes; the second probe need not wait', () => {
    const breaker = opened(0);
    calls(breaker, 1_000, 1, 'good');
    expect([breaker.isOpen, breaker.isDue(1_000)]).toEqual([true, true]);
    expect(breaker.succeeded(breaker.begin(1_000))).toBe(true);
    expect(breaker.isOpen).toBe(false);
  });

  test('starts again when the second probe fails', () => {
    const breaker = opened(0);
    calls(breaker, 1_000, 1, 'good');
    calls(breaker, 1_000, 1, 'failed');
    calls(breaker, 3_000, 1, 'good');
    expect(breaker.isOpen).toBe(true);
  });

  test('ignores calls that began before it opened, and after closing those that began before that', () => {
    const breaker = new CircuitBreaker();
    const before = Array.from({ length: 40 }, () => breaker.begin(0));
    calls(breaker, 0, 5, 'unsent');
    for (const ticket of before.splice(0, 20)) breaker.succeeded(ticket);
    expect(breaker.isOpen).toBe(true);
    calls(breaker, 1_000, 2, 'good');
    for (const ticket of before) breaker.failed(ticket, 1_000, false);
    expect(breaker.isOpen).toBe(false);
  });

  test('sends the next probe after one without an outcome', () => {
    const breaker = opened(0);
    breaker.dropped(breaker.begin(1_000));
    expect([breaker.isDue(1_000), breaker.waitMs]).toEqual([true, 1_000]);
  });
});

test('while the circuit is open, only its probe counts (contract/routing#circuit-breaker)', () => {
  const breaker = opened(0);
  const probe = breaker.begin(1_000);
  for (let at = 0; at < 10; at++) breaker.succeeded(breaker.begin(1_000));
  breaker.succeeded(uncounted);
  expect(breaker.isOpen).toBe(true);
  breaker.succeeded(probe);
  for (let at = 0; at < 10; at++) breaker.failed(uncounted, 1_000, true);
  expect(breaker.succeeded(breaker.begin(1_000))).toBe(true);
});

describe('a circuit breaker that has closed', () => {
  function closed(nowMs: number): CircuitBreaker {
    const breaker = opened(nowMs - 1_000);
    calls(breaker, nowMs, 2, 'good');
    expect(breaker.isOpen).toBe(false);
    return breaker;
  }

  /** Begins as many calls as the breaker admits. */
  function begun(breaker: CircuitBreaker, nowMs: number, max = 1_000): Ticket[] {
    const tickets: Ticket[] = [];
    while (!breaker.isAvoided && tickets.length < max) tickets.push(breaker.begin(nowMs));
    return tickets;
  }

  test('admits one call, then one more in flight with each success, then all', () => {
    const breaker = closed(1_000);
    const shares: number[] = [];
    for (let round = 0; round < 7; round++) {
      const tickets = begun(breaker, 1_000);
      shares.push(tickets.length);
      for (const ticket of tickets) breaker.succeeded(ticket);
    }
    expect(shares).toEqual([1, 2, 4, 8, 16, 32, 1_000]);
  });

  test('is not affected by calls that say nothing about the node', () => {
    const breaker = closed(1_000);
    for (let round = 0; round < 5; round++) {
      const tickets = begun(breaker, 1_000);
      expect(tickets).toHaveLength(1);
      for (const ticket of tickets) breaker.dropped(ticket);
    }
  });

  test('admits all calls after ten seconds', () => {
    const breaker = closed(1_000);
    const hanging = begun(breaker, 1_000);
    expect([hanging.length, breaker.isAvoided]).toEqual([1, true]);
    breaker.begin(11_000);
    expect(begun(breaker, 11_000)).toHaveLength(1_000);
    for (const ticket of hanging) breaker.succeeded(ticket);
    expect(breaker.isAvoided).toBe(false);
  });

  test('opens again after two calls of which one failed, for twice as long as before', () => {
    let nowMs = 1_000;
    const breaker = closed(nowMs);
    for (const waitMs of [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      calls(breaker, nowMs, 1, 'good');
      calls(breaker, nowMs, 1, 'failed');
      expect([breaker.isOpen, breaker.waitMs]).toEqual([true, waitMs]);
      nowMs += waitMs;
      calls(breaker, nowMs, 2, 'good');
      expect(breaker.isOpen).toBe(false);
    }
  });

  test('opens for one second, as at first, after the end of the ramp', () => {
    const breaker = closed(1_000);
    calls(breaker, 1_000, 40, 'good');
    calls(breaker, 1_000, 1, 'failed');
    expect(breaker.isOpen).toBe(false);
    calls(breaker, 1_000, 40, 'failed');
    expect([breaker.isOpen, breaker.waitMs]).toEqual([true, 1_000]);
  });
});

test('in any sequence of events there is one probe at a time, and a probe at least once a minute', () => {
  const step = fc.record({
    ms: fc.integer({ min: 0, max: 5_000 }),
    does: fc.constantFrom('begin', 'good', 'failed', 'unsent', 'dropped'),
    at: fc.nat(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const breaker = new CircuitBreaker();
      const open: { ticket: number; isProbe: boolean }[] = [];
      let nowMs = 0;
      for (const { ms, does, at } of steps) {
        nowMs += ms;
        const ended = does === 'begin' ? undefined : open.splice(at % Math.max(1, open.length), 1)[0];
        if (does === 'begin') {
          const isProbe = breaker.isDue(nowMs);
          open.push({ ticket: breaker.begin(nowMs), isProbe });
        } else if (ended !== undefined) {
          if (does === 'good') breaker.succeeded(ended.ticket);
          else if (does === 'dropped') breaker.dropped(ended.ticket);
          else breaker.failed(ended.ticket, nowMs, does === 'failed');
        }
        const probing = breaker.isOpen && !breaker.isDue(nowMs + 60_000);
        const probes = open.filter(({ isProbe }) => isProbe).length;
        if (probing) expect(probes).toBeGreaterThan(0);
        if (!breaker.isOpen) expect([breaker.waitMs, breaker.isDue(Number.MAX_SAFE_INTEGER)]).toEqual([0, false]);
      }
    }),
    { numRuns: 300, seed: 87 },
  );
});

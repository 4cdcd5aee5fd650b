/** All connections of a process: slots of a user, credentials that end, notifications in slices, and the drain. */

import { expect, test } from 'bun:test';
import { createTimeSlices } from '@flowgate/async/time-slices';
import { TurnBudget } from '@flowgate/async/turn-budget';
import { systemClock } from '@flowgate/base/clock';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import { TextContent } from '@flowgate/bytes/byte-content';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { until } from '@flowgate/testing/until';
import type { WebSocket } from '@flowgate/websocket/server/web-socket';
import type { Authentication } from '../../api/authenticator.ts';
import { createWebSockets } from './web-sockets.ts';

const valid = (userId: string): Authentication => ({ kind: 'caller', caller: { userId, via: 'api-key', roles: [] } });
const invalid: Authentication = { kind: 'refused', reason: 'credential-invalid' };
const unverifiable: Authentication = { kind: 'refused', reason: 'credential-unverifiable' };

function registry(given: { readonly clock?: typeof systemClock; readonly writes?: () => void } = {}) {
  const { clock = systemClock, writes = () => {} } = given;
  const found = new Map<string, Authentication>();
  const verified: string[] = [];
  const later: (() => void)[] = [];
  const budget = () => new ByteBudget({ totalBytes: 1_000_000, ownerBytes: 1_000_000 });
  const sockets = createWebSockets({
    limits: {
      maxMessageBytes: 1_000,
      messageMs: 1_000,
      writeMs: 1_000,
      minWriteBytesPerSecond: 8_192,
      maxWriteMs: 600_000,
    },
    perUser: 2,
    bodies: budget(),
    backlog: budget(),
    chargedPieces: () => undefined,
    authenticator: {
      authenticate: async ({ raw }) => {
        verified.push(raw);
        return found.get(raw) ?? valid('alice');
      },
    },
    clock,
    slices: createTimeSlices(clock),
    turns: new TurnBudget(clock),
    timerWheel: {
      arm(_ms, callback) {
        later.push(callback);
        return { callback };
      },
    },
  });
  /** `sent` receives the frames; `codes` are those of close frames. */
  function open(keyId: string, callsInFlight = () => 0) {
    let sent: Buffer = Buffer.alloc(0);
    const slot = sockets.reserveSlot(`owner of ${keyId} ${verified.length} ${Math.random()}`);
    if (slot === undefined) throw new Error('no slot');
    let over = false;
    const socket: WebSocket = sockets.open(
      {
        write: () => 0,
        writeRange(bytes, from, length) {
          writes();
          sent = Buffer.concat([sent, bytes.subarray(from, from + length)]);
          return length;
        },
        end: () => {},
        shutdown: () => {},
        terminate: () => {},
        pause: () => {},
        resume: () => {},
        remoteAddress: '127.0.0.1',
      },
      () => clock.monotonic(),
      {
        caller: { userId: 'alice', via: 'api-key', keyId, roles: [] },
        credential: { kind: 'api-key', raw: keyId },
        expiresAtMs: undefined,
      },
      slot,
      () => ({
        serve: () => {},
        callsInFlight,
        ended: () => {
          over = true;
        },
      }),
    );
    return {
      socket,
      sent: () => sent.toString('latin1'),
      code: () => (sent[0] === 0x88 ? sent.readUInt16BE(2) : undefined),
      isOver: () => over,
    };
  }
  return { sockets, open, found, verified, later };
}

test('a slot is released once, even when it is released repeatedly', () => {
  const { sockets } = registry();
  const [first, second] = [sockets.reserveSlot('alice'), sockets.reserveSlot('alice')];
  expect(sockets.reserveSlot('alice')).toBeUndefined();
  expect(sockets.reserveSlot('bob')).toBeDefined();
  first?.release();
  first?.release();
  expect(sockets.reserveSlot('alice')).toBeDefined();
  expect(sockets.reserveSlot('alice')).toBeUndefined();
  second?.release();
  expect(sockets.reserveSlot('alice')).toBeDefined();
});

test('a revoked key closes exactly its own connections, and connections of valid keys stay open', async () => {
  const { sockets, open, found, verified } = registry();
  const [one, two, other] = [open('k1'), open('k1'), open('k2')];
  sockets.keyChanged('k1');
  sockets.keyChanged('unknown');
  await until(() => verified.length === 1);
  expect([one, two, other].map(({ code }) => code())).toEqual([undefined, undefined, undefined]);
  found.set('k1', invalid);
  sockets.keyChanged('k1');
  await until(() => one.code() !== undefined);
  expect([one, two, other].map(({ code }) => code())).toEqual([4001, 4001, undefined]);
  found.set('k2', valid('another user'));
  sockets.keyChanged(undefined);
  await until(() => other.code() === 4001);
  expect(verified).toEqual(['k1', 'k1', 'k2', 'k1']);
});

test('a key that cannot be verified is verified again until the result is known', async () => {
  const { sockets, open, found, later } = registry();
  const { code } = open('k1');
  found.set('k1', unverifiable);
  sockets.keyChanged('k1');
  await until(() => later.length === 1);
  later.shift()?.();
  await until(() => later.length === 1);
  expect(code()).toBeUndefined();
  found.set('k1', invalid);
  later.shift()?.();
  await until(() => code() === 4001);
});

test('ten thousand notifications are sent in slices of milliseconds, and other work runs between them', async () => {
  const clock = createManualClock();
  let writes = 0;
  let maxInATurn = 0;
  let inTurn = 0;
  const { open } = registry({
    clock,
    writes() {
      // As long as a write to a socket takes.
      clock.advance(0.01);
      writes += 1;
      inTurn += 1;
      maxInATurn = Math.max(maxInATurn, inTurn);
    },
  });
  const all = Array.from({ length: 10_000 }, (_, at) => open(`k${at}`));
  const content = new TextContent('head');
  for (const { socket } of all) socket.notify(content);
  expect(writes).toBeLessThan(2);
  while (writes < 10_000) {
    inTurn = 0;
    await new Promise(setImmediate);
  }
  expect(maxInATurn).toBeLessThan(700);
  expect(all.every(({ sent }) => sent().endsWith('head'))).toBe(true);
});

test('a drain closes all connections, spread over its time, each once its calls are answered', async () => {
  const clock = createManualClock();
  const { sockets, open } = registry({ clock });
  let isBusy = true;
  const busy = open('busy', () => (isBusy ? 1 : 0));
  const idle = Array.from({ length: 39 }, (_, at) => open(`k${at}`));
  const draining = sockets.drain(500);
  expect(sockets.isDraining()).toBe(true);
  const closed = () => idle.filter(({ code }) => code() === 1012).length;
  // A quarter of the 400 ms in which 40 connections are closed; the busy one is the first.
  clock.advance(100);
  await until('a quarter is closed', () => closed() === 9);
  clock.advance(300);
  await until('all are closed', () => closed() === 39);
  expect(busy.code()).toBeUndefined();
  for (const { socket } of idle) socket.closed();
  isBusy = false;
  busy.socket.closed();
  await draining;
  expect(sockets.count()).toBe(0);
  expect(busy.isOver()).toBe(true);
});

test('a drain ends when its time is over, and a new connection during a drain is closed', async () => {
  const { sockets, open } = registry();
  open('busy', () => 1);
  const draining = sockets.drain(60);
  const late = open('late');
  expect(late.code()).toBe(1012);
  late.socket.closed();
  await draining;
  expect(sockets.count()).toBe(1);
});

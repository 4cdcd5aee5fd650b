import { beforeEach, expect, test } from 'bun:test';
import { createManualClock, type ManualClock } from '@flowgate/testing/manual-clock';
import type { Authentication } from '../../api/authenticator.ts';
import type { Credential } from '../../api/credential.ts';
import type { StreamSink } from '../../api/route.ts';
import { createOpenStreams, type OpenStreams } from './open-streams.ts';

const key: Credential = { kind: 'api-key', raw: 'key' };
const token: Credential = { kind: 'token', raw: 'token' };
const valid: Authentication = { kind: 'caller', caller: { userId: 'alice', via: 'api-key', roles: [] } };
const invalid: Authentication = { kind: 'refused', reason: 'credential-invalid' };

let clock: ManualClock;
let verdict: Authentication | Promise<Authentication>;
let asked: Credential[];
let changes: number;
let streams: OpenStreams;
let looks: (() => void)[];
beforeEach(() => {
  clock = createManualClock();
  verdict = valid;
  asked = [];
  changes = 0;
  looks = [];
  streams = createOpenStreams({
    clock,
    authenticator: {
      keyChanges: () => changes,
      authenticate: (credential) => {
        asked.push(credential);
        return verdict;
      },
    },
    perUser: 2,
    perNode: 3,
    every: (_ms, look) => {
      looks.push(look);
      return () => {
        looks = looks.filter((each) => each !== look);
      };
    },
  });
});

const look = async () => {
  for (const each of looks) each();
  await Promise.resolve();
};

function open(userId = 'alice', credential = token) {
  const reported: string[] = [];
  let sink: StreamSink | undefined;
  const owner = { userId, credential, letGo: () => reported.push('let go') };
  const body = streams.open(owner, (given) => {
    sink = given;
    return { onRoom: () => reported.push('room'), onEnd: () => reported.push('end') };
  });
  if ('reason' in body)
    return { refusal: body.reason, reported, write: () => false, end: () => {}, read: async () => '' };
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const read = async () => {
    const { value, done } = await reader.read();
    return done ? undefined : decoder.decode(value);
  };
  const write = (text: string) => sink?.write(text) ?? false;
  return { refusal: undefined, reported, write, end: () => sink?.end(), read, cancel: () => reader.cancel() };
}

test('the reader receives what is written in order, and an end closes the stream once', async () => {
  const one = open();
  one.write('a');
  one.write('b');
  expect([await one.read(), await one.read()]).toEqual(['a', 'b']);
  one.end();
  one.end();
  expect(one.write('c')).toBe(false);
  expect(await one.read()).toBeUndefined();
  expect(one.reported).toEqual(['let go', 'end']);
  expect(streams.count()).toBe(0);
  expect(looks).toEqual([]);
});

test('a reader that disconnects ends the writer and releases its slot', async () => {
  const one = open();
  await one.cancel?.();
  expect(one.reported).toEqual(['let go', 'end']);
  expect(streams.count()).toBe(0);
});

test('streams are bounded for each user and each node, and a released slot can be reserved again', () => {
  const mine = [open(), open()];
  expect(open().refusal).toBe('conflict');
  expect(open('bob').refusal).toBeUndefined();
  expect(open('carol').refusal).toBe('unavailable');
  mine[0]?.end();
  expect(open().refusal).toBeUndefined();
});

test('a slow reader makes its writer pause at 16 KiB and continue when it has read', async () => {
  const one = open();
  expect(one.write('x'.repeat(16_383))).toBe(true);
  expect(one.write('x')).toBe(false);
  await one.read();
  await one.read();
  await Promise.resolve();
  expect(one.reported).toEqual(['room']);
  expect(one.write('y')).toBe(true);
});

test('a reader that reads nothing for thirty seconds is disconnected', async () => {
  const one = open();
  one.write('x'.repeat(20_000));
  clock.advance(29_999);
  await look();
  expect(one.reported).toEqual([]);
  clock.advance(1);
  await look();
  expect(one.reported).toEqual(['let go', 'end']);
  await expect(one.read()).rejects.toThrow('reads nothing');
});

test('a credential is verified every 15 seconds, and the stream ends when it is no longer valid', async () => {
  const one = open();
  clock.advance(14_999);
  await look();
  expect(asked).toEqual([]);
  clock.advance(1);
  await look();
  expect(asked).toEqual([token]);
  expect(one.reported).toEqual([]);
  verdict = Promise.resolve(invalid);
  clock.advance(15_000);
  await look();
  await Promise.resolve();
  expect(one.reported).toEqual(['let go', 'end']);
  expect(await one.read()).toBeUndefined();
});

test("a key's stream is verified as soon as any key is revoked, a token's is not", async () => {
  const [withKey, withToken] = [open('alice', key), open('bob', token)];
  await look();
  expect(asked).toEqual([]);
  changes += 1;
  verdict = invalid;
  await look();
  expect(asked).toEqual([key]);
  expect([withKey.reported, withToken.reported]).toEqual([['let go', 'end'], []]);
});

test('a stream stays open while its credential cannot be verified, and ends when the credential belongs to another user', async () => {
  const one = open();
  verdict = { kind: 'refused', reason: 'credential-unverifiable' };
  clock.advance(15_000);
  await look();
  expect(one.reported).toEqual([]);
  verdict = { kind: 'caller', caller: { userId: 'mallory', via: 'token', roles: [] } };
  clock.advance(15_000);
  await look();
  expect(one.reported).toEqual(['let go', 'end']);
});

test('close ends all streams and refuses new ones', async () => {
  const all = [open(), open('bob')];
  streams.close();
  for (const one of all) {
    expect(one.reported).toEqual(['let go', 'end']);
    expect(await one.read()).toBeUndefined();
  }
  expect(open().refusal).toBe('unavailable');
});

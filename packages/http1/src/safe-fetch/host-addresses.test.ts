import { expect, test } from 'bun:test';
import { createTimerWheel } from '@flowgate/async/timer-wheel';
import { systemClock } from '@flowgate/base/clock';
import { createHostAddresses } from './host-addresses.ts';

test('names of one domain whose name servers do not answer leave capacity for other names (docs/decisions/0030)', async () => {
  const asked: string[] = [];
  const answers = new Map<string, (addresses: readonly string[]) => void>();
  const resolve = (hostname: string) => {
    asked.push(hostname);
    if (!hostname.endsWith('.slow.example')) return Promise.resolve(['192.0.2.1']);
    return new Promise<readonly string[]>((settle) => void answers.set(hostname, settle));
  };
  const addressesOf = createHostAddresses(resolve, createTimerWheel(systemClock));
  const overloaded = { failure: 'overloaded', detail: 'too many names are being resolved' };

  const slow = Array.from({ length: 16 }, (_, at) => addressesOf(`${at}.slow.example`, 60_000));
  expect<unknown>(await addressesOf('16.slow.example', 60_000)).toEqual(overloaded);
  expect<unknown>(await addressesOf('a.b.c.slow.example', 60_000)).toEqual(overloaded);
  expect(asked).toHaveLength(16);
  expect<unknown>(await addressesOf('app.honest.example', 60_000)).toEqual(['192.0.2.1']);
  // A second request for a name that is being resolved shares its look-up.
  const again = addressesOf('0.slow.example', 60_000);
  for (const settle of answers.values()) settle(['192.0.2.2']);
  expect<unknown>(await Promise.all([...slow, again])).toEqual(Array(17).fill(['192.0.2.2']));
  const last = addressesOf('16.slow.example', 60_000);
  answers.get('16.slow.example')?.(['192.0.2.3']);
  expect<unknown>(await last).toEqual(['192.0.2.3']);
});

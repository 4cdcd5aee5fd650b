import { expect, test } from 'bun:test';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { lastTier } from '../routing/candidates.ts';
import { NodeLoad } from '../routing/node-load.ts';
import { createNetworkNodes, type SharedNode } from './network-nodes.ts';

const timeoutMs = 30_000;

function world() {
  const clock = createManualClock();
  const place = { dlt: 'ethereum', networkId: 'dev' };
  const nodes = createNetworkNodes(place, [], [{ url: 'https://a.example/operators-key-0123456789', headers: {} }], {
    clock,
    timeoutMs,
  });
  let asked = 0;
  const unused = () => {
    throw new Error('no call is made');
  };
  const shared = (nodeId: string, secret: string): SharedNode => ({
    ...{ ...place, nodeId, pool: { send: unused, sendBatch: unused }, status: unused, send: unused, sendBatch: unused },
    ...{ head: unused, isCircuitOpen: unused, coolDownMs: unused, isOut: unused, isDue: unused, hasFailedLast: unused },
    ...{ isUnhealthy: unused, isBehind: unused, take: unused, note: unused, drop: unused },
    ...{ tier: lastTier, load: new NodeLoad(), figures: unused },
    secrets() {
      asked++;
      return [secret];
    },
  });
  const follow = (...now: readonly SharedNode[]) => nodes.follow({ shared: now, cordoned: new Set() });
  return { clock, nodes, shared, follow, asked: () => asked };
}

test('an error is searched once for the secrets of all nodes, regardless of the number of shared nodes', () => {
  const { nodes, shared, follow, asked } = world();
  const many = Array.from({ length: 200 }, (_, at) => `users-key-0123456789-${at}-end`);
  follow(...many.map((secret, at) => shared(`node-${at}`, secret)));
  const before = asked();
  for (let round = 0; round < 50; round++)
    expect(nodes.hideSecrets(`{"message":"${many[round]} operators-key-0123456789"}`)).toBe('{"message":"*** ***"}');
  expect(asked()).toBe(before);
});

test('secrets of a node that is no longer shared are hidden while calls in flight may return its errors (contract/conventions#secrets)', () => {
  const { nodes, shared, follow, clock } = world();
  const [one, other] = [shared('one', 'first-key-0123456789'), shared('other', 'other-key-0123456789')];
  const shown = () => nodes.hideSecrets('{"message":"first-key-0123456789"}');
  expect(shown()).toContain('first-key');
  follow(one, other);
  expect(shown()).toBe('{"message":"***"}');
  follow(other);
  clock.advance(timeoutMs);
  follow(other);
  expect(shown()).toBe('{"message":"***"}');
  follow(one, other);
  follow(other);
  clock.advance(timeoutMs * 10);
  follow(other);
  expect(shown()).toContain('first-key');
});

import { expect, test } from 'bun:test';
import type { NodeCall, ReadableAnswer } from '../ledgers/node-call.ts';
import { ByteBudget } from '../platform/bytes/byte-budget.ts';
import { HeldBytes } from '../platform/bytes/held-bytes.ts';
import { systemClock } from '../platform/clock.ts';
import { createTimeSlices } from '../platform/time-slices.ts';
import { decodeBody } from './message.ts';
import { serveBody } from './serve-body.ts';
import type { RpcTarget } from './target.ts';

const budget = new ByteBudget({ totalBytes: 10_000_000, ownerBytes: 10_000_000 });
const read = '"jsonrpc":"2.0","id":"r","method":"eth_call"';
const write = '"jsonrpc":"2.0","id":"w","method":"eth_sendRawTransaction"';

/** What comes of a body when the node gives this text; large ones are held for their user. */
async function served(body: string, nodeText: string) {
  const target: RpcTarget = {
    policy: () => 'forward',
    slices: createTimeSlices(systemClock),
    hideSecrets: (text) => text,
    takeIds: () => 1,
    pool: {
      async send<Answer extends ReadableAnswer>(call: NodeCall<Answer>) {
        const answer = nodeText.length > 65_536 ? await call.large?.read(heldOf(nodeText)) : call.read(nodeText);
        if (answer === undefined) return { ok: false, failure: 'unusable', mayHaveArrived: true } as const;
        return { ok: true, nodeId: 'node', answer } as const;
      },
    },
  };
  const decoded = decodeBody(body, 100);
  if (decoded.kind !== 'single' && decoded.kind !== 'batch') throw new Error('no body');
  const caller = { userId: 'alice', request: { signal: new AbortController().signal } };
  return serveBody(decoded, target, (reason) => reason, caller);
}

function heldOf(text: string): HeldBytes {
  const held = new HeldBytes(budget, 'alice');
  const bytes = Buffer.from(text);
  held.append(bytes, 0, bytes.length);
  return held;
}

test('an answer says whether something of it must not be asked for again', async () => {
  const one = '{"id":1,"result":1}';
  expect(await served(`{${read}}`, one)).toMatchObject({ kind: 'answer', isOnce: false });
  expect(await served(`{${write}}`, one)).toMatchObject({ kind: 'answer', isOnce: true });
  expect(await served(`[{${read}},{${read}}]`, `[${one}]`)).toMatchObject({ kind: 'answer', isOnce: false });
  expect(await served(`[{${read}},{${write}}]`, `[${one}]`)).toMatchObject({ kind: 'answer', isOnce: true });
});

test('whatever comes of a large answer, what is not sent on is given back', async () => {
  const large = `"${'x'.repeat(100_000)}"`;
  const error = '{"code":-1,"message":"no"}';
  const padding = ' '.repeat(100_000);
  for (const [body, text, kind] of [
    [`{${read}}`, `{"id":1,"error":${error}}${padding}`, 'answer'],
    [`{${read}}`, `{"id":2,"result":${large}}`, 'refused'],
    [`{${read}}`, `{"id":1,"result":${large}`, 'refused'],
    ['{"jsonrpc":"2.0","method":"eth_call"}', `{"id":1,"result":${large}}`, 'silent'],
    ['[{"jsonrpc":"2.0","method":"eth_call"}]', `[{"id":1,"result":${large}}]`, 'silent'],
    [`[{${read}}]`, `[{"id":1,"error":${error}}]${padding}`, 'answer'],
    [`[{${read}}]`, `{"error":${error}}${padding}`, 'answer'],
    [`[{${read}}]`, `[{"id":7,"result":${large}}]`, 'refused'],
    [`[{${read}}]`, `[]${padding}`, 'refused'],
  ] as const) {
    expect({ body, text: text.slice(0, 40), kind: (await served(body, text)).kind }).toEqual({
      body,
      text: text.slice(0, 40),
      kind,
    });
    expect(budget.heldBytes).toBe(0);
  }
  for (const [body, text] of [
    [`{${read}}`, `{"id":1,"result":${large}}`],
    [`[{${read}}]`, `[{"id":1,"result":${large}}]`],
  ] as const) {
    const reply = await served(body, text);
    if (reply.kind !== 'large') throw new Error('no large answer');
    expect(budget.heldBytes).toBeGreaterThan(0);
    reply.body.release();
    expect(budget.heldBytes).toBe(0);
  }
});

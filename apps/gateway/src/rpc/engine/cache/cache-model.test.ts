/**
 * Random histories against a reference without a cache (contract/cache#guarantee): no caller sees an answer that no node could have given between the call and its answer, by its own view of the chain, or by
 * the newest one that the gateway has seen while that is fresh. What a block's hash determines is always the same, and returned until the gateway sees another block in its place. What is about the newest block may be as old as the head that the gateway has seen, and what is shared with a call in progress as that call.
 * `CACHE_HISTORIES` runs more of them.
 */

import { expect, test } from 'bun:test';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { evm } from '@flowgate/chain/families/evm';
import { chanceFrom } from '@flowgate/testing/seeded-chance';
import fc from 'fast-check';
import { type Answered, ledgerAnswer } from '../../../../test/fixtures/ledger-answers.ts';
import {
  createSimulatedHeads,
  createSimulatedLedger,
  type SimChain,
} from '../../../../test/fixtures/simulated-ledger.ts';
import type {
  BatchAnswer,
  CallPort,
  NodeAnswer,
  NodeBatch,
  NodeCall,
  NodeQuestion,
  NodeReply,
} from '../../../upstream/port/node-port.ts';
import { AnswerCache } from './answer-cache.ts';
import { createCachedPort } from './cached-port.ts';

const histories = Number(process.env['CACHE_HISTORIES'] ?? 150);
const ownNodes = ['a', 'b', 'c'];
const lie = '"a lie"';

type Node = { chain: SimChain; known: number | undefined };
type Moment = {
  readonly tip: string | undefined;
  readonly reported: number | undefined;
  readonly views: readonly SimChain[];
  readonly pool: number;
  readonly seen: SimChain;
  readonly isFresh: boolean;
};
type Asked = {
  readonly at: number;
  readonly leftOut: ReadonlySet<string> | undefined;
  readonly userId: string;
  readonly isOfBatch?: true;
};
type Pending = { readonly deliver: () => void };

const totals = { hits: { value: 0 }, misses: { value: 0 }, coalesced: { value: 0 } };
let calls = 0;

class History {
  readonly ledger = createSimulatedLedger();
  readonly nodes: readonly Node[] = ownNodes.map(() => ({ chain: this.ledger.chain(), known: undefined }));
  readonly heads = createSimulatedHeads(this.ledger, (nodeId) => this.nodes[ownNodes.indexOf(nodeId)]?.known);
  readonly budget = new ByteBudget({ totalBytes: 1 << 24, ownerBytes: 1 << 22 });
  readonly pending: Pending[] = [];
  readonly problems: string[] = [];
  readonly moments: Moment[] = [];
  readonly submitted = new Map<string, number>();
  readonly lostHashes: string[] = [];
  readonly port: CallPort;
  pool = 0;

  constructor(maxBytes: number) {
    const cache = new AnswerCache({
      family: evm,
      heads: this.heads.heads,
      nodeIds: ownNodes,
      maxBytes,
      clock: { monotonic: () => 0 },
      budget: this.budget,
      counts: totals,
      seed: 7,
      timeoutMs: 30_000,
    });
    this.port = createCachedPort(this.inner(), cache);
    this.note();
  }

  note(): void {
    const isFresh = this.heads.heads.isFresh();
    const tip = this.heads.seen().at(-1)?.hash;
    const reported = this.heads.heads.reportedHeight();
    this.moments.push({
      tip,
      reported,
      views: this.nodes.map(({ chain }) => chain),
      pool: this.pool,
      seen: this.heads.seen(),
      isFresh,
    });
  }

  /** Nodes that answer when the history says so, by the chain that they saw when they received the call, or by the chain that they see when they answer. */
  inner(): CallPort {
    let turn = 0;
    const later = <Answer>(terms: NodeCall | NodeBatch, answerBy: (nodeId: string) => Answer) => {
      const chance = chanceFrom(++turn * 7_919);
      const candidates = [...ownNodes, 'shared'].filter((nodeId) => terms.leftOut?.has(nodeId) !== true);
      const nodeId = candidates[chance(candidates.length)] ?? 'a';
      const isEarly = chance(2) === 0;
      const early = isEarly ? answerBy(nodeId) : undefined;
      const { promise, resolve } = Promise.withResolvers<NodeReply<Answer>>();
      const what = chance(12);
      const isFull = terms.caller?.userId === 'full' && chance(2) === 0;
      this.pending.push({
        deliver: () => {
          if (isFull) resolve({ ok: false, failure: 'owner-full', maybeDelivered: true });
          else if (what === 0) resolve({ ok: false, failure: 'timeout', maybeDelivered: true });
          else resolve({ ok: true, nodeId, answer: early ?? answerBy(nodeId) });
        },
      });
      return promise;
    };
    const textOf = (nodeId: string, question: NodeQuestion) => {
      const { kind, text } = this.answerOf(nodeId, question);
      return { kind, raw: rangeOf(text) };
    };
    return {
      send: (call) =>
        later<NodeAnswer>(call, (nodeId) => {
          if (call.method !== 'eth_sendRawTransaction') return textOf(nodeId, call);
          this.pool++;
          return { kind: 'result', raw: rangeOf('"0x"') };
        }),
      sendBatch: (batch) =>
        later<BatchAnswer>(batch, (nodeId) => ({
          kind: 'batch',
          answers: batch.questions.map((question) => textOf(nodeId, question)),
        })),
    };
  }

  answerOf(nodeId: string, { method, params }: NodeQuestion): Answered {
    const node = this.nodes[ownNodes.indexOf(nodeId)];
    if (node === undefined) return { kind: 'result', text: lie };
    return ledgerAnswer(node.chain, this.pool, method, JSON.parse(params?.text() ?? '[]'));
  }

  /** The moment since which the gateway has seen no other head. For a call in flight, also the moment since which it has reported none to callers. */
  sinceHead(at: number, from: 'cache' | 'coalesced'): number {
    const { tip, reported } = this.moments[at] ?? {};
    const isSame = (moment: Moment | undefined) =>
      moment?.tip === tip && (from === 'cache' || moment?.reported === reported);
    let since = at;
    while (since > 0 && isSame(this.moments[since - 1])) since--;
    return since;
  }

  /** Whether a node could have given this answer since the question was sent. */
  isPossible(question: NodeQuestion, text: string, { at, leftOut }: Asked): boolean {
    const { method, params } = question;
    const list = JSON.parse(params?.text() ?? '[]');
    if (this.isOfHash(method, list, text, at)) return true;
    return this.moments.slice(at).some(({ views, pool, seen, isFresh }) => {
      const own = views.filter((_, nth) => leftOut?.has(ownNodes[nth] ?? '') !== true);
      const all = isFresh ? [...own, seen] : own;
      return all.some((chain) => ledgerAnswer(chain, pool, method, list).text === text);
    });
  }

  /** Whether a block's hash determines this, and the gateway has not seen another block in its place ever since. An answer without a height may also be of a block that the gateway has never seen. */
  isOfHash(method: string, list: readonly unknown[], text: string, at: number): boolean {
    const named = method === 'eth_getBlockByHash' ? list[0] : Reflect.get(Object(list[1]), 'blockHash');
    if (typeof named !== 'string') return false;
    const chain = this.moments.flatMap(({ views }) => views).find((view) => view.some(({ hash }) => hash === named));
    if (chain === undefined || ledgerAnswer(chain, 0, method, list).text !== text) return false;
    const height = chain.findIndex(({ hash }) => hash === named);
    const wasSeen = this.moments.some(({ seen }) => seen[height]?.hash === named);
    if (method !== 'eth_getBlockByHash' && !wasSeen) return true;
    return this.moments.slice(at).some(({ seen }) => (seen[height]?.hash ?? named) === named);
  }

  evaluate(question: NodeQuestion, reply: NodeReply<NodeAnswer>, asked: Asked): void {
    calls++;
    const said = (what: string) =>
      this.problems.push(
        `${what}: ${question.method} ${question.params?.text()} → ${reply.ok && reply.answer.kind !== 'buffered' ? `${reply.nodeId} ${reply.from ?? ''} ${reply.answer.raw.text()}` : JSON.stringify(reply)}`,
      );
    if (!reply.ok) {
      if (reply.failure === 'owner-full' && asked.userId !== 'full') said("another user's failure");
      return;
    }
    if (asked.leftOut?.has(reply.nodeId) === true) said('an excluded node');
    if (reply.answer.kind === 'buffered') return;
    const text = reply.answer.raw.text();
    if (reply.nodeId === 'shared') {
      if (reply.from !== undefined) said("an answer of a user's node to another caller");
      return;
    }
    const isOfHead = /latest|pending/.test(question.params?.text() ?? '') || question.method === 'eth_gasPrice';
    const isOlder = reply.from === 'coalesced' || (reply.from === 'cache' && isOfHead);
    const at =
      isOlder && reply.from !== undefined
        ? this.sinceHead(asked.at, asked.isOfBatch === true && isOfHead ? 'cache' : reply.from)
        : asked.at;
    if (!this.isPossible(question, text, { ...asked, at })) said('an answer that no node gives');
    if (
      question.method === 'eth_getTransactionCount' &&
      Number(JSON.parse(text)) < (this.submitted.get(`${asked.userId} ${asked.at}`) ?? 0)
    )
      said('an answer from before a submission of its caller');
  }
}

const action = fc.record({
  what: fc.oneof(
    { weight: 12, arbitrary: fc.constant('call') },
    { weight: 4, arbitrary: fc.constant('batch') },
    { weight: 20, arbitrary: fc.constant('deliver') },
    ...['mine', 'reorganize', 'old', 'report', 'submit'].map((what) => ({ weight: 1, arbitrary: fc.constant(what) })),
    ...['sync', 'see', 'probe'].map((what) => ({ weight: 3, arbitrary: fc.constant(what) })),
  ),
  seed: fc.nat(1_000_000),
});

function step(history: History, { what, seed }: { readonly what: string; readonly seed: number }): void {
  const chance = chanceFrom(seed);
  const { ledger, nodes, heads, pending } = history;
  const nth = chance(nodes.length);
  const node = nodes[nth];
  if (node === undefined) return;
  if (what === 'mine') ledger.mine();
  else if (what === 'reorganize') {
    history.lostHashes.push(ledger.chain().at(-1)?.hash ?? '');
    ledger.reorganize(1 + chance(2), chance(2));
  } else if (what === 'old') heads.growOld();
  else if (what === 'report') heads.report(heads.seen().length - 1 + chance(2));
  else if (what === 'probe') node.known = node.chain.length - 1;
  else if (what === 'sync') {
    const now = ledger.chain();
    let common = 0;
    while (common < now.length && node.chain[common]?.hash === now[common]?.hash) common++;
    node.chain = now.slice(0, Math.max(common, now.length - chance(8)));
  } else if (what === 'see') {
    // Only final blocks are trusted.
    if (node.chain.length - 1 < (heads.heads.finalHeight() ?? 0)) return;
    node.known = node.chain.length - 1;
    heads.see(ownNodes[nth] ?? '', node.chain);
  } else if (what === 'deliver') pending.splice(chance(Math.max(1, pending.length)), 1)[0]?.deliver();
  else ask(history, what, chance);
}

function ask(history: History, what: string, chance: (below: number) => number): void {
  const userId = ['alice', 'bob', 'full'][chance(3)] ?? 'alice';
  const leftOut = chance(6) === 0 ? new Set([[...ownNodes, 'shared'][chance(4)] ?? 'a']) : undefined;
  const at = history.moments.length - 1;
  const asked: Asked = { at, leftOut, userId };
  history.submitted.set(`${userId} ${at}`, history.submitted.get(userId) ?? 0);
  const controller = new AbortController();
  const terms = { caller: { userId, request: controller }, leftOut, repeatable: true };
  const { port } = history;
  if (what === 'submit') {
    const sent = port.send({
      ...terms,
      method: 'eth_sendRawTransaction',
      params: rangeOf('["0x00"]'),
      repeatable: false,
    });
    void Promise.resolve(sent).then((reply) => {
      if (reply.ok) history.submitted.set(userId, history.pool);
    });
    return;
  }
  if (what === 'call') {
    const question = questionOf(history, chance);
    const call = { ...terms, ...question };
    void Promise.resolve(port.send(call)).then((reply) => history.evaluate(question, reply, asked));
    return;
  }
  const questions = Array.from({ length: 1 + chance(6) }, () => questionOf(history, chance));
  void Promise.resolve(port.sendBatch({ ...terms, questions })).then((reply) => {
    if (!reply.ok) return history.evaluate(questions[0] ?? { method: '', params: undefined }, reply, asked);
    const { answer, nodeId } = reply;
    if (answer.kind === 'error') return;
    for (const [nth, question] of questions.entries()) {
      const element = answer.answers[nth];
      if (element === undefined) history.problems.push('an element without an answer');
      else if (element.kind === 'failed') history.evaluate(question, { ok: false, ...element }, asked);
      else if (element.kind !== 'buffered') {
        const isLie = element.raw.text() === lie;
        // A joined batch does not report which node gave which element.
        history.evaluate(
          question,
          {
            ok: true,
            nodeId: isLie ? 'shared' : nodeId === 'shared' ? 'a' : nodeId,
            answer: element,
            from: isLie ? undefined : 'coalesced',
          },
          { ...asked, leftOut: undefined, isOfBatch: true },
        );
        if (isLie && leftOut?.has('shared') === true) history.problems.push('an excluded node, in a batch');
      }
    }
  });
}

/** One of a few questions, in one of its spellings. */
function questionOf(history: History, chance: (below: number) => number): NodeQuestion {
  const chain = history.ledger.chain();
  const height = () => `0x${Math.max(0, chain.length - 1 - chance(7)).toString(16)}`;
  const hashes = [...chain.slice(-5).map(({ hash }) => hash), ...history.lostHashes.slice(-2)];
  const hash = () => hashes[chance(hashes.length)] ?? '';
  const named = () => [() => 'latest', height, height, () => ({ blockHash: hash() })][chance(4)]?.();
  const digits = `${'ab'.repeat(19)}0${chance(2)}`;
  const address = chance(3) === 0 ? `0x${digits.toUpperCase()}` : `0x${digits}`;
  const object = chance(2) === 0 ? { to: address, data: '0x01' } : { data: '0x01', to: address };
  const from = chance(chain.length);
  const lists: [string, unknown[]][] = [
    ['eth_getBalance', [address, named()]],
    ['eth_getBalance', [address, 'latest']],
    ['eth_getBalance', [address, 'pending']],
    ['eth_call', [object, named()]],
    ['eth_getBlockByNumber', [chance(2) === 0 ? 'latest' : height(), false]],
    ['eth_getBlockByHash', [hash(), false]],
    ['eth_getTransactionReceipt', [`0x${(chain.length - 1 - chance(4)).toString(16).padStart(64, '0')}`]],
    ['eth_getLogs', [{ fromBlock: `0x${from.toString(16)}`, toBlock: `0x${(from + chance(4)).toString(16)}` }]],
    ['eth_getTransactionCount', [address, 'pending']],
    ['eth_gasPrice', []],
    ['eth_chainId', []],
  ];
  const [method, params] = lists[chance(lists.length)] ?? ['eth_chainId', []];
  return { method, params: rangeOf(JSON.stringify(params, null, chance(2))) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test(`no caller sees an answer that no node could have given, over ${histories} random histories (contract/cache#guarantee)`, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { minLength: 80, maxLength: 240 }),
      fc.constantFrom(1 << 16, 1 << 22),
      async (actions, maxBytes) => {
        const history = new History(maxBytes);
        for (const each of actions) {
          step(history, each);
          history.note();
          await turn();
        }
        while (history.pending.length > 0) {
          history.pending.shift()?.deliver();
          history.note();
          await turn();
        }
        expect(history.problems).toEqual([]);
        expect(history.budget.reservedBytes).toBe(0);
      },
    ),
    { numRuns: histories, seed: 93, endOnFailure: process.env['CACHE_NO_SHRINK'] !== undefined },
  );
  const { hits, coalesced } = totals;
  console.log(
    `calls ${calls}, hits ${hits.value} (${Math.round((100 * hits.value) / calls)} %), coalesced ${coalesced.value}`,
  );
  expect(hits.value).toBeGreaterThan(calls / 20);
  expect(coalesced.value).toBeGreaterThan(calls / 50);
}, 600_000);

/** The guarantees of `upstream/port/node-port.ts` as tests. All transports, pools and wrappers run them. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { type SpeakingNode, startSpeakingNode } from '../../../test/fixtures/speaking-node.ts';
import { withTexts } from '../../../test/fixtures/with-texts.ts';
import type { BatchAnswer, NodeBatch, NodeCall, NodePort, NodeReply, TextAnswer } from './node-port.ts';

export type OpenedPort = { readonly port: NodePort; readonly close: () => void };

const read = (method: string, params?: string): NodeCall => ({
  method,
  params: params === undefined ? undefined : rangeOf(params),
  repeatable: true,
});
const write: NodeCall = { method: 'eth_sendRawTransaction', params: rangeOf('["0x00"]'), repeatable: false };
const batchOf = (...questions: NodeCall[]): NodeBatch => ({ questions, repeatable: true });
const echo = async (_method: string, params = 'null') => `"result":${params}`;

/** Spellings of JSON values that a parser would not return unchanged. */
const spellings = [
  '[ 1.0, 1e2,-0 ]',
  '{"b":1,"a":12345678901234567890}',
  '["\\u0061\\/", "é", "\\ud83d\\ude00", "😀"]',
  '[[],{},[ ] , null]',
  '["0x00","latest"]',
];

/** `open`: opens a port to this node. */
export function nodePortContract(name: string, open: (node: SpeakingNode) => Promise<OpenedPort>): void {
  describe(`a port to nodes: ${name}`, () => {
    let node: SpeakingNode;
    let opened: OpenedPort;
    let port: NodePort;
    beforeEach(async () => {
      node = startSpeakingNode();
      opened = await open(node);
      port = opened.port;
    });
    afterEach(async () => {
      opened.close();
      await node.stop();
    });

    test('params reach the node unchanged, and its result returns unchanged', async () => {
      node.says(echo);
      for (const params of spellings)
        expect(withTexts(await port.send(read('eth_call', params)))).toMatchObject({
          ok: true,
          answer: { raw: params },
        });
      expect(withTexts(await port.send(read('eth_blockNumber')))).toMatchObject({
        answer: { kind: 'result', raw: 'null' },
      });
      expect(node.asked).toEqual([...spellings.map((params) => `eth_call ${params}`), 'eth_blockNumber']);
    });

    test('an error of the node is an answer, and returns unchanged', async () => {
      const error = '{ "code":-32000 ,"message":"nonce \\u0074oo low","data":"0x08" }';
      node.says(() => `"error":${error}`);
      expect(withTexts(await port.send(read('eth_call', '[]')))).toMatchObject({
        ok: true,
        answer: { kind: 'error', raw: error },
      });
      expect(withTexts(await port.send(write))).toMatchObject({ ok: true, answer: { kind: 'error', raw: error } });
    });

    test('concurrent calls receive their own answers, in any order of arrival', async () => {
      const waiting: { params: string | undefined; answer: (text: string) => void }[] = [];
      node.says((_method, params) => {
        const { promise, resolve } = Promise.withResolvers<string>();
        waiting.push({ params, answer: resolve });
        if (waiting.length === 20) for (const each of waiting.toReversed()) each.answer(`"result":${each.params}`);
        return promise;
      });
      const calls = Array.from({ length: 20 }, (_, nth) => `[${nth}]`);
      const replies = await Promise.all(calls.map((params) => port.send(read('eth_call', params))));
      expect(replies.map((reply) => reply.ok && reply.answer.kind === 'result' && reply.answer.raw.text())).toEqual(
        calls,
      );
    });

    test('a batch is answered in the order of its questions: results, errors, and undefined without an answer', async () => {
      const error = '{"code":3,"message":"execution reverted"}';
      node.says((method, params) =>
        method === 'fails' ? `"error":${error}` : method === 'silent' ? undefined : `"result":${params}`,
      );
      const batch = batchOf(read('one', '[1.0]'), read('silent'), read('fails'), read('two', '[ 2 ]'));
      expect(withTexts(elements(await port.sendBatch({ ...batch, timeoutMs: 900 })))).toEqual([
        { kind: 'result', raw: '[1.0]' },
        undefined,
        { kind: 'error', raw: error },
        { kind: 'result', raw: '[ 2 ]' },
      ]);
      node.says(echo);
      const again = batchOf(read('two', '[ 2 ]'), read('three', '[3]'), read('one', '[1.0]'));
      expect(elements(await port.sendBatch(again))?.map((answer) => answer?.raw.text())).toEqual([
        '[ 2 ]',
        '[3]',
        '[1.0]',
      ]);
    });

    /** The connection stays open, and the node answers nothing more. */
    async function silenced(): Promise<void> {
      node.says(echo);
      await port.send(read('eth_chainId'));
      node.asked.length = 0;
      node.says(() => undefined);
    }
    const timeout = { ok: false, failure: 'timeout', maybeDelivered: true } as const;

    test('a call without an answer before its timeout fails as maybe delivered', async () => {
      await silenced();
      expect(withTexts(await port.send({ ...read('eth_call'), timeoutMs: 60 }))).toMatchObject(timeout);
    });

    test('so does a batch', async () => {
      await silenced();
      expect(withTexts(await port.sendBatch({ ...batchOf(read('eth_call')), timeoutMs: 60 }))).toMatchObject(timeout);
    });

    test('a call that must not be repeated arrives once, regardless of the outcome', async () => {
      await silenced();
      expect(withTexts(await port.send({ ...write, timeoutMs: 60 }))).toMatchObject(timeout);
      node.says(() => '"neither":1');
      expect(withTexts(await port.send(write))).toMatchObject({ ok: false, failure: 'unusable', maybeDelivered: true });
      expect(node.asked).toHaveLength(2);
      node.says(echo);
      for (const _ of [1, 2])
        expect(withTexts(await port.send(write))).toMatchObject({ answer: { raw: write.params?.text() } });
      expect(node.asked).toHaveLength(4);
    });

    test('a closed port answers, and does not throw', async () => {
      node.says(echo);
      await port.send(read('eth_call', '[0]'));
      opened.close();
      expect(withTexts(await port.send(read('eth_call', '[1]')))).toMatchObject({ ok: false, maybeDelivered: false });
      expect(withTexts(await port.sendBatch(batchOf(read('eth_call', '[2]'))))).toMatchObject({ ok: false });
    });
  });
}

function elements(reply: NodeReply<BatchAnswer>): readonly (TextAnswer | undefined)[] | undefined {
  if (!reply.ok || reply.answer.kind !== 'batch') return undefined;
  return reply.answer.answers.map((answer) => {
    if (answer?.kind === 'failed') throw new Error('a question failed by itself');
    return answer;
  });
}

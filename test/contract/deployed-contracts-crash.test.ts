/**
 * kill -9 of the gateway between recording a deployment, sending it and receiving the answer: the list contains every
 * deployment that a node has received (contract/contracts#deployed). FLOWGATE_KILLS sets the number of kills; 200 take
 * some minutes.
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { chanceFrom } from '@flowgate/testing/seeded-chance';
import { testRounds } from '@flowgate/testing/test-rounds';
import { type Hex, keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

const kills = testRounds({ short: 2, long: 4, variable: 'FLOWGATE_KILLS' });
const seed = Number(process.env['FLOWGATE_SEED'] ?? 11);
// The test starts and ends whole processes, so the timeout is long; it is no expectation.
const guardMs = 60_000 + kills * 20_000;
const atOnce = 12;
const account = privateKeyToAccount(keccak256('0x0c'));

let gateway: RunningGateway;
let apiKey: string;
/** Everything that the node has ever received, by hash. */
const received = new Set<string>();

beforeAll(async () => {
  gateway = await startGateway({ config: { limits: { userPerMinute: 1_000_000 } } });
  apiKey = (await gateway.mint()).apiKey;
}, guardMs);
afterAll(() => gateway.stop());

function submissionsIn(body: string): Hex[] {
  const parsed: unknown = JSON.parse(body);
  const messages = (Array.isArray(parsed) ? parsed : [parsed]) as { method: string; params: [Hex] }[];
  return messages.flatMap(({ method, params }) => (method === 'eth_sendRawTransaction' ? [params[0]] : []));
}

async function listed(): Promise<Set<unknown>> {
  const hashes = new Set<unknown>();
  let cursor: unknown;
  do {
    const query = cursor === undefined ? '' : `&cursor=${cursor}`;
    const response = await gateway.fetch(`/users/me/deployed-contracts?limit=100${query}`, {
      headers: { 'X-API-Key': apiKey },
    });
    const page = await jsonBody(response);
    for (const { transactionHash } of page['data'] as { transactionHash: string }[]) hashes.add(transactionHash);
    cursor = page['nextCursor'];
  } while (cursor !== undefined);
  return hashes;
}

test(
  `${kills} kills, each with ${atOnce} deployments in progress: the list contains every deployment that a node received`,
  async () => {
    const chance = chanceFrom(seed);
    let nonce = 0;
    let answered = 0;
    /**
     * After how many received bodies, and how long after them, the gateway is killed. Some calls are answered by then.
     */
    let killAt = Number.POSITIVE_INFINITY;
    let arrivals = 0;
    let due = Promise.withResolvers<void>();
    gateway.node.behave(async (body) => {
      const raws = submissionsIn(body);
      for (const raw of raws) received.add(keccak256(raw));
      if (raws.length > 0) arrivals += 1;
      if (arrivals >= killAt) due.resolve();
      // Real time: some answers are in flight when the gateway is killed, others are not.
      await Bun.sleep(chance(7));
      const answers = raws.map((raw) => keccak256(raw));
      const parsed: { id: number } | { id: number }[] = JSON.parse(body);
      const one = ({ id }: { id: number }, at: number) => ({ jsonrpc: '2.0', id, result: answers[at] ?? null });
      return Response.json(Array.isArray(parsed) ? parsed.map(one) : one(parsed, 0));
    });
    const message = async () => {
      const raw = await account.signTransaction({
        ...{ type: 'eip1559', chainId: 31337, nonce: nonce++, gas: 100_000n, maxFeePerGas: 1n },
        data: '0x6001',
      });
      return { jsonrpc: '2.0', id: nonce, method: 'eth_sendRawTransaction', params: [raw] };
    };
    for (let kill = 0; kill < kills; kill++) {
      due = Promise.withResolvers();
      arrivals = 0;
      killAt = 1 + chance(5);
      const bodies: unknown[] = [];
      for (let at = 0; at < atOnce / 2; at++) bodies.push(await message());
      const batch: unknown[] = [];
      for (let at = 0; at < atOnce / 2; at++) batch.push(await message());
      const calls = [...bodies, batch].map((body) =>
        gateway.rpc(apiKey, body).then(
          () => {
            answered += 1;
          },
          () => {},
        ),
      );
      // On a very busy machine the gateway may have refused all of them.
      await Promise.race([due.promise, Promise.all(calls)]);
      // Real time: from the moment of an arrival to after its answer.
      await Bun.sleep(chance(9));
      await gateway.restart();
      await Promise.all(calls);
    }
    const there = await listed();
    const lost = [...received].filter((hash) => !there.has(hash));
    console.log(
      `deployments lost over ${kills} kill -9: ${lost.length} (${received.size} received by the node, ${there.size} recorded, ${nonce} sent, ${answered} calls answered)`,
    );
    expect(lost).toEqual([]);
    expect(received.size).toBeGreaterThanOrEqual(kills);
  },
  guardMs,
);

/** Finds the index of a game in the factory's list, by which a proof names the game. It loads viem, so it is imported only when needed. */

import { decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem';
import type { ChainReader } from '../chain/chain-reader.ts';
import { decoded } from '../decoding/bridge-message.ts';

const abi = parseAbi([
  'function gameCount() view returns (uint256)',
  'function gameAtIndex(uint256 index) view returns (uint32 gameType, uint64 timestamp, address proxy)',
]);

/** The number of games that are created within one second is small: usually one transaction. */
const maxAtOnce = 40;

type Listed = { readonly createdAt: number; readonly game: string };

/** `createdAt` is in seconds. The factory's list is in this order, so a few calls suffice. Undefined when the factory does not have the game. Throws `ChainAway`. */
export async function findGameIndex(
  chain: ChainReader,
  factory: string,
  { game, createdAt }: Listed,
): Promise<number | undefined> {
  const [answer] = await chain.ask([callOf(factory, encodeFunctionData({ abi, functionName: 'gameCount' }))]);
  const count = decodedHex(answer, (data) => decodeFunctionResult({ abi, functionName: 'gameCount', data }));
  if (count === undefined) return undefined;
  let [low, high] = [0, Number(count)];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [found] = await gamesAt(chain, factory, [middle]);
    if (found === undefined) return undefined;
    if (found.createdAt < createdAt) low = middle + 1;
    else high = middle;
  }
  const indexes = Array.from({ length: Math.min(maxAtOnce, Number(count) - low) }, (_, at) => low + at);
  const listed = await gamesAt(chain, factory, indexes);
  const at = listed.findIndex((each) => each?.game === game);
  return at === -1 ? undefined : low + at;
}

async function gamesAt(
  chain: ChainReader,
  factory: string,
  indexes: readonly number[],
): Promise<readonly (Listed | undefined)[]> {
  const answers = await chain.ask(
    indexes.map((index) =>
      callOf(factory, encodeFunctionData({ abi, functionName: 'gameAtIndex', args: [BigInt(index)] })),
    ),
  );
  return answers.map((answer) => {
    const found = decodedHex(answer, (data) => decodeFunctionResult({ abi, functionName: 'gameAtIndex', data }));
    return found === undefined ? undefined : { createdAt: Number(found[1]), game: found[2].toLowerCase() };
  });
}

function callOf(to: string, data: Hex) {
  return { method: 'eth_call', params: [{ to, data }, 'latest'] };
}

function decodedHex<T>(answer: unknown, decode: (data: Hex) => T): T | undefined {
  if (typeof answer !== 'string' || !/^0x[0-9a-f]+$/i.test(answer)) return undefined;
  return decoded(() => decode(`0x${answer.slice(2)}`));
}

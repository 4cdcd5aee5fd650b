/** Reads symbol and decimals of the tokens in records, in bounded batches. Tokens of strangers may return anything. */

import type { Lease } from '@flowgate/sql/coordination/lease-store';
import { shownText } from '../../prepared/shown-text.ts';
import { readText, readUint, tokenCalls } from '../../prepared/token-abi.ts';
import type { ChainReader } from '../chain/chain-reader.ts';
import type { PoolSettler, Settler } from '../indexing/settler.ts';
import type { DueToken, ReadToken, TokenPlace, TokenStore } from './token-store.ts';

/** Tokens of one check: two calls each, in one batch. */
const tokensAtOnce = 25;
/** Symbol and decimals hardly ever change; a proxy may get another implementation. */
const validMs = 7 * 86_400_000;
/** The delay for a new token that did not answer: a node may have refused a call of the batch. Tokens that never answer are later read as seldom as others. */
const retryMs = 5 * 60_000;
const maxCharacters = 32;
/**
 * The bounds of one call: far more than a token needs to return its name. Anyone can bring a token over the bridge that occupies a node forever or returns megabytes.
 * Without these bounds a few such tokens would block the reading of all others.
 */
const gasOfQuestion = `0x${(100_000).toString(16)}`;

/** Where tokens are read, and for which leader. */
export type TokenRound = Omit<TokenPlace, 'address'> & {
  readonly chain: ChainReader;
  readonly lease: Lease;
  readonly nowMs: number;
};

/** Reads the due tokens of one network. Throws `ChainAway`. */
export async function readDueTokens(store: TokenStore, round: TokenRound): Promise<'done' | 'more'> {
  const { chain, lease, nowMs, dlt, networkId } = round;
  const due = await store.due({ dlt, networkId }, nowMs, tokensAtOnce);
  if (due.length === 0) return 'done';
  const first = await ask(chain, due);
  const asked = first.flatMap(({ token, isAnswered }) => (isAnswered ? [] : [token]));
  const all = [...first.filter(({ isAnswered }) => isAnswered), ...(asked.length === 0 ? [] : await ask(chain, asked))];
  const wordsOf = (isMeant: (each: Asked) => boolean) => all.filter(isMeant).map(({ words }) => words);
  const isNew = ({ token }: Asked) => token.dueAtMs === 0;
  const answered = wordsOf(({ isAnswered }) => isAnswered);
  const fresh = wordsOf((each) => !each.isAnswered && isNew(each));
  const silent = wordsOf((each) => !each.isAnswered && !isNew(each));
  await store.settle(answered, nowMs + validMs, lease);
  await store.putOff(fresh, nowMs + retryMs, lease);
  await store.putOff(silent, nowMs + validMs, lease);
  return due.length < tokensAtOnce ? 'done' : 'more';
}

type Asked = {
  readonly token: DueToken;
  /** The results of both calls. An error is no answer, even when the token itself raises it. */
  readonly isAnswered: boolean;
  readonly words: ReadToken;
};

async function ask(chain: ChainReader, tokens: readonly DueToken[]): Promise<readonly Asked[]> {
  const answers = await chain.ask(
    tokens.flatMap(({ address: to }) =>
      [tokenCalls.symbol(), tokenCalls.decimals()].map((data) => ({
        method: 'eth_call',
        params: [{ to, data, gas: gasOfQuestion }, 'latest'],
      })),
    ),
  );
  return tokens.map((token, at) => {
    const [symbol, decimals] = answers.slice(2 * at, 2 * at + 2);
    const { dueAtMs: _, ...place } = token;
    const isAnswered = symbol !== undefined && decimals !== undefined;
    return { token, isAnswered, words: readToken(place, symbol, decimals) };
  });
}

/** For both sides of a bridge. */
export function tokenSettler(store: TokenStore): Settler {
  return {
    name: 'tokens',
    async settle({ bridge, l1, l2, lease, nowMs }) {
      const readSide = ({ dlt, networkId }: typeof bridge.l1, { chain }: typeof l1) =>
        readDueTokens(store, { ...{ dlt, networkId, chain }, lease, nowMs });
      const ends = await Promise.allSettled([readSide(bridge.l1, l1), readSide(bridge.l2, l2)]);
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
      return ends.some((end) => end.status === 'fulfilled' && end.value === 'more') ? 'more' : 'done';
    },
  };
}

/** For the network of pools. */
export function poolTokenSettler(store: TokenStore): PoolSettler {
  return {
    name: 'tokens',
    settle: ({ side: { dlt, networkId }, chain, lease, nowMs }) =>
      readDueTokens(store, { dlt, networkId, chain, lease, nowMs }),
  };
}

function readToken(place: TokenPlace, symbolAnswer: unknown, decimalsAnswer: unknown): ReadToken {
  const symbol = shownText(readText(dataOf(symbolAnswer)) ?? '', maxCharacters);
  const decimals = readUint(dataOf(decimalsAnswer));
  return {
    ...place,
    ...(symbol === '' ? {} : { symbol }),
    // Of type uint8.
    ...(decimals !== undefined && decimals <= 255n ? { decimals: Number(decimals) } : {}),
  };
}

function dataOf(answer: unknown): string {
  return typeof answer === 'string' ? answer.toLowerCase() : '';
}

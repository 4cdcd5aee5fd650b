/** Reads what tokens of records say of themselves: a bounded batch at a time, with whatever a strange token returns. */

import type { Lease } from '@flowgate/sql/coordination/lease-store';
import { shownText } from '../../prepared/shown-text.ts';
import { readText, readUint, tokenCalls } from '../../prepared/token-abi.ts';
import type { ChainReader } from '../chain/chain-reader.ts';
import type { PoolSettler, Settler } from '../indexing/settler.ts';
import type { DueToken, ReadToken, TokenPlace, TokenStore } from './token-store.ts';

/** Tokens of one look: two questions each, in one batch. */
const tokensAtOnce = 25;
/** They hardly ever change; a proxy may be given another implementation. */
const keptMs = 7 * 86_400_000;
/** A token that was looked at for the first time, and did not answer: a node may have refused a question of the batch. Strange tokens never answer, and are asked as seldom as others afterwards. */
const retryMs = 5 * 60_000;
const maxCharacters = 32;
/**
 * Of one question: far more than a token takes to name itself. Anybody can bring a token over the bridge whose answer takes a node for ever, or is megabytes long; without this, some of those would
 * keep every other token from being read, and nodes from their work.
 */
const gasOfQuestion = `0x${(100_000).toString(16)}`;

/** Where tokens are read, on behalf of which leader. */
export type TokenLook = Omit<TokenPlace, 'address'> & {
  readonly chain: ChainReader;
  readonly lease: Lease;
  readonly nowMs: number;
};

/** Reads the tokens of one network that are due. Throws `ChainAway`. */
export async function readDueTokens(store: TokenStore, look: TokenLook): Promise<'done' | 'more'> {
  const { chain, lease, nowMs, dlt, networkId } = look;
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
  await store.settle(answered, nowMs + keptMs, lease);
  await store.putOff(fresh, nowMs + retryMs, lease);
  await store.putOff(silent, nowMs + keptMs, lease);
  return due.length < tokensAtOnce ? 'done' : 'more';
}

type Asked = {
  readonly token: DueToken;
  /** Both questions: an error is no answer, also where the token itself makes it. */
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
      const look = ({ dlt, networkId }: typeof bridge.l1, { chain }: typeof l1) =>
        readDueTokens(store, { ...{ dlt, networkId, chain }, lease, nowMs });
      const ends = await Promise.allSettled([look(bridge.l1, l1), look(bridge.l2, l2)]);
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

/** What tokens say of themselves: symbol and decimals, read once in a while and kept, with whatever a strange token returns. */

import type { Clock } from '../../platform/clock.ts';
import type { CallOutcome } from '../contract-call.ts';
import type { Network } from '../network.ts';
import type { ChainView } from './chain-view.ts';
import { shownText } from './shown-text.ts';

export type TokenFacts = {
  /** In lower case. */
  readonly address: string;
  /** Empty when the token names none that can be shown. */
  readonly symbol: string;
  /** 0 when the token does not say: amounts then are base units. */
  readonly decimals: number;
};

/** The facts of a token of this network, in the view's block unless they are known. `undefined` when the network cannot be asked. */
export type FindTokenFacts = (
  network: Pick<Network, 'dlt' | 'networkId'>,
  view: ChainView,
  address: string,
) => Promise<TokenFacts | undefined>;

const mostCharacters = 32;
/** They hardly ever change; a proxy may be given another implementation. */
const keptMs = 3_600_000;
/** Contracts are the operator's, but one of them may name other tokens each time. */
const mostKept = 1_000;

type Kept = { readonly facts: TokenFacts; readonly untilMs: number };

export function createTokenFacts({ clock }: { readonly clock: Pick<Clock, 'monotonic'> }): FindTokenFacts {
  const kept = new Map<string, Kept>();
  return async ({ dlt, networkId }, view, address) => {
    const key = `${dlt} ${networkId} ${address}`;
    const nowMs = clock.monotonic();
    const known = kept.get(key);
    if (known !== undefined && nowMs < known.untilMs) return known.facts;
    const facts = await readFacts(view, address);
    if (facts === undefined) return undefined;
    kept.delete(key);
    kept.set(key, { facts, untilMs: nowMs + keptMs });
    const oldest = kept.size > mostKept ? kept.keys().next().value : undefined;
    if (oldest !== undefined) kept.delete(oldest);
    return facts;
  };
}

async function readFacts(view: ChainView, address: string): Promise<TokenFacts | undefined> {
  const { calls, readText, readUint } = await import('./staking-abi.ts');
  const [symbol = unasked, decimals = unasked] = await view.call([
    { to: address, data: calls.symbol() },
    { to: address, data: calls.decimals() },
  ]);
  if (symbol.kind === 'unasked' || decimals.kind === 'unasked') return undefined;
  const text = symbol.kind === 'returned' ? readText(symbol.data) : undefined;
  const places = decimals.kind === 'returned' ? readUint(decimals.data) : undefined;
  return {
    address,
    symbol: shownText(text ?? '', mostCharacters),
    // Of type uint8.
    decimals: places !== undefined && places <= 255n ? Number(places) : 0,
  };
}

const unasked: CallOutcome = { kind: 'unasked' };

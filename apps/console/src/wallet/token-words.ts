/** Reads symbol and decimals through the connected wallet. Anyone can deploy a token with any name, so only the address identifies it. */
import { askWallet } from './ask-wallet.ts';
import type { InjectedWallet } from './injected-wallet.ts';

export type TokenWords = { readonly symbol: string; readonly decimals: number };

/** Parses a `uint256`. */
export function wordIn(answer: unknown): bigint | undefined {
  return typeof answer === 'string' && /^0x[0-9a-f]{64}$/i.test(answer) ? BigInt(answer) : undefined;
}

/** The wallet must be on the token's chain. Undefined when the contract does not behave like a token. */
export async function tokenWords(wallet: InjectedWallet, token: string): Promise<TokenWords | undefined> {
  const ask = (data: string) => askWallet(wallet, 'eth_call', [{ to: token, data }, 'latest']).catch(() => undefined);
  const [decimals, symbol] = await Promise.all([ask('0x313ce567'), ask('0x95d89b41')]);
  const places = wordIn(decimals);
  if (places === undefined || places > 36n) return undefined;
  return { symbol: textIn(symbol) ?? 'tokens', decimals: Number(places) };
}

const maxSymbolLength = 24;

/** Parses an ABI-encoded string. */
function textIn(answer: unknown): string | undefined {
  if (typeof answer !== 'string' || !/^0x(?:[0-9a-f]{64}){3,}$/i.test(answer)) return undefined;
  const length = Number(BigInt(`0x${answer.slice(66, 130)}`));
  if (length === 0 || length > maxSymbolLength) return undefined;
  const bytes = (answer.slice(130, 130 + length * 2).match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16));
  const text = new TextDecoder().decode(new Uint8Array(bytes));
  return /^[\p{L}\p{N} .$€£¥₮₿Ξ_-]+$/u.test(text) ? text : undefined;
}

/** A decoded argument of a known call: an address or a token amount. */
import { useQuery } from '@tanstack/react-query';
import { ShortHash } from '../components/short-hash.tsx';
import { formatAmount } from '../format/amount.ts';
import type { KnownFact } from './known-calls.ts';
import { tokenWords } from './token-words.ts';
import { useWallet } from './use-wallet.ts';

export function CallFact({ of, chainId }: { readonly of: KnownFact; readonly chainId: number }) {
  if (of.kind === 'address') return <ShortHash value={of.address} what={of.name.toLowerCase()} isWhole />;
  if (of.kind === 'units') return `${formatAmount(String(of.amount), 0)} base units`;
  return <Tokens amount={of.amount} token={of.token} chainId={chainId} />;
}

/** The amount of an unlimited approval. */
const unlimited = 2n ** 256n - 1n;

type TokensProps = { readonly amount: bigint; readonly token: string; readonly chainId: number };

/** Shows symbol and decimals if a wallet on the token's chain is connected. */
function Tokens({ amount, token, chainId }: TokensProps) {
  const { connected } = useWallet();
  const { data: words } = useQuery({
    queryKey: ['token-words', connected?.wallet.id, chainId, token],
    queryFn: async () => (connected === undefined ? null : ((await tokenWords(connected.wallet, token)) ?? null)),
    enabled: connected?.chainId === chainId,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const symbol = words?.symbol ?? 'tokens';
  if (amount === unlimited)
    return <span className="font-medium text-warn">everything, without a limit ({symbol})</span>;
  if (words === undefined || words === null) return `${formatAmount(String(amount), 0)} base units`;
  return <bdi className="font-medium">{`${formatAmount(String(amount), words.decimals)} ${symbol}`}</bdi>;
}

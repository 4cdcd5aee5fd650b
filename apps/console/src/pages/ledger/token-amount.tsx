/** An exact token amount. Token names are not trustworthy, so the name is shortened and its address is in the tooltip. */
import { formatAmount } from '../../format/amount.ts';

export type TokenAmountProps = {
  readonly amount: string;
  /** Undefined when unknown; the amount is shown in base units then. */
  readonly decimals: number | undefined;
  readonly symbol: string | undefined;
  /** Address of the token's contract; ether has none. */
  readonly address?: string | undefined;
};

export function TokenAmount({ amount, decimals, symbol, address }: TokenAmountProps) {
  const named = symbol === undefined || symbol === '' ? undefined : symbol;
  const about = address === undefined ? 'Ether' : `${named ?? 'Token'} at ${address}`;
  return (
    <span className="inline-flex max-w-full min-w-0 flex-wrap items-baseline gap-x-1.5" title={about}>
      <span className="max-w-[26ch] min-w-0 break-words">
        {decimals === undefined ? amount : formatAmount(amount, decimals)}
      </span>
      <bdi className="max-w-32 truncate text-soft">
        {decimals === undefined ? `base units${named === undefined ? '' : ` of ${named}`}` : (named ?? 'of a token')}
      </bdi>
    </span>
  );
}

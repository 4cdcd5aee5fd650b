/** Token options of a form: ether, the operator's tokens, and tokens that the user has moved before. */
import type { BridgeRecord, BridgeToken } from '@flowgate/client';
import { useQuery } from '@tanstack/react-query';
import { shortened } from '../../format/shortened.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';

export type TokenChoice = {
  /** `native`, the token's address on the sending side, or `otherToken`. */
  readonly value: string;
  readonly title: string;
  readonly symbol: string | undefined;
  readonly decimals: number | undefined;
};

/** The user enters the address. */
export const otherToken = 'other';

const newest = 100;

type SeenToken = BridgeToken & { readonly bridgeId: string };

/** Tokens of the newest deposits and withdrawals. */
export function useSeenTokens(): readonly SeenToken[] {
  const client = useGateway();
  const { data } = useQuery({
    queryKey: ['history', 'tokens'],
    queryFn: async ({ signal }) => {
      const [deposits, withdrawals] = await Promise.all([
        client.deposits.page({ signal, limit: newest }),
        client.withdrawals.page({ signal, limit: newest }),
      ]);
      return [...deposits.data, ...withdrawals.data].map(({ token, bridgeId }) => ({ ...token, bridgeId }));
    },
    staleTime: 60_000,
  });
  return data ?? [];
}

export function tokenChoices(
  direction: 'deposit' | 'withdrawal',
  bridge: BridgeRecord | undefined,
  seen: readonly SeenToken[],
): readonly TokenChoice[] {
  const side = direction === 'deposit' ? 'l1' : 'l2';
  const known = [...(bridge?.tokens ?? []), ...seen.filter(({ bridgeId }) => bridgeId === bridge?.bridgeId)];
  const choices = new Map<string, TokenChoice>();
  for (const { native, symbol, decimals, ...token } of known) {
    const value = native ? 'native' : token[side];
    if (value === undefined || choices.get(value)?.decimals !== undefined) continue;
    const title = native ? 'Ether' : `${symbol ?? 'Token'} (${shortened(value)})`;
    choices.set(value, { value, title, symbol, decimals });
  }
  return [
    ...choices.values(),
    { value: otherToken, title: 'Other token (by address)', symbol: undefined, decimals: undefined },
  ];
}

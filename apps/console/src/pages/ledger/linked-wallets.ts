/** The user's linked wallets, with labels for choices and addresses. */
import type { Wallet } from '@flowgate/client';
import { useQuery } from '@tanstack/react-query';
import { shortened } from '../../format/shortened.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { isSameAddress } from '../../wallet/ask-wallet.ts';
import { useWallet } from '../../wallet/use-wallet.ts';

const max = 100;

/** Newest first; undefined while loading. */
export function useLinkedWallets(): readonly Wallet[] | undefined {
  const client = useGateway();
  return useQuery({
    queryKey: ['linked-wallets'],
    queryFn: async ({ signal }) => (await client.wallets.page({ signal, limit: max })).data,
  }).data;
}

/** The linked wallet that is connected in this tab, else the newest. */
export function useDefaultWallet(): Wallet | undefined {
  const wallets = useLinkedWallets() ?? [];
  const { connected } = useWallet();
  return (
    wallets.find(({ address }) => connected !== undefined && isSameAddress(address, connected.account)) ?? wallets[0]
  );
}

export const walletTitle = ({ label, address }: Wallet): string =>
  label === undefined ? shortened(address) : `${label} (${shortened(address, 6, 4)})`;

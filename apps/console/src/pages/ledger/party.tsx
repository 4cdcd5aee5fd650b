/** The address of a sender or recipient, with the label of the linked wallet if it is one. */
import { ShortHash } from '../../components/short-hash.tsx';
import { isSameAddress } from '../../wallet/ask-wallet.ts';
import { useLinkedWallets } from './linked-wallets.ts';

export function Party({ address, what }: { readonly address: string; readonly what: string }) {
  const label = useLinkedWallets()?.find((wallet) => isSameAddress(wallet.address, address))?.label;
  return (
    <span className="inline-flex max-w-full min-w-0 flex-col items-start">
      {label !== undefined && (
        <bdi title={label} className="max-w-full truncate @4xl:max-w-44">
          {label}
        </bdi>
      )}
      <ShortHash value={address} what={what} />
    </span>
  );
}

/** Adds a chain to a wallet that does not know it. The suggested RPC URL is the gateway's, with an API key that the user creates for it. */
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Field, TextInput } from '../components/field.tsx';
import { useGateway } from '../gateway/gateway-context.tsx';
import { useAction } from '../gateway/use-action.ts';
import { useNetworkNames } from '../gateway/use-network-names.ts';
import { useSession } from '../session/session-context.tsx';
import { addChain } from './ask-wallet.ts';
import type { InjectedWallet } from './injected-wallet.ts';
import { useWallet } from './use-wallet.ts';

export type AddChainProps = { readonly chainId: number; readonly onAdded: (wallet: InjectedWallet) => void };

export function AddChain({ chainId, onAdded }: AddChainProps) {
  const client = useGateway();
  const { config } = useSession();
  const { networks, nameOfChain } = useNetworkNames();
  const { connected } = useWallet();
  // A URL with a key is a secret and is stored only in this component.
  const [rpcUrl, setRpcUrl] = useState('');
  const name = nameOfChain(chainId);
  const network = networks?.find((each) => each.chainId === chainId);
  const mint = useAction({
    run: (label: string) => client.apiKeys.mint({ label }),
    changes: [['api-keys']],
    done: (_, label) => `API key “${label}” created`,
    onDone: ({ apiKey }) => {
      if (network === undefined) return;
      setRpcUrl(`${config.publicUrl}/dlts/${network.dlt}/networks/${network.networkId}/rpc/${apiKey}`);
    },
    showsError: true,
  });
  const add = useAction({
    run: (wallet: InjectedWallet) => addChain(wallet, { chainId, name, rpcUrl: rpcUrl.trim() }),
    onDone: (_, wallet) => onAdded(wallet),
    showsError: true,
  });
  if (connected === undefined) return null;
  const { wallet } = connected;
  const error = add.error ?? mint.error;
  return (
    <section aria-label="Add chain" className="rounded-lg border border-line bg-raised p-4">
      <p className="font-medium">
        {wallet.name} does not know {name} (chain {chainId})
      </p>
      <p className="mt-1 mb-3 text-sm text-soft">
        Add the chain to your wallet with an RPC URL. The gateway’s URL contains one of your API keys, which you can
        revoke at any time.
      </p>
      <Field label="RPC URL">
        {(control) => (
          <TextInput
            {...control}
            type="url"
            autoComplete="off"
            placeholder="https://"
            value={rpcUrl}
            onChange={({ target }) => setRpcUrl(target.value)}
          />
        )}
      </Field>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          size="sm"
          busy={mint.busy}
          disabled={network === undefined}
          onClick={() => mint.run(`${wallet.name}: ${name}`.slice(0, 100))}
        >
          Create key
        </Button>
        <Button
          size="sm"
          tone="primary"
          busy={add.busy}
          disabled={rpcUrl.trim() === ''}
          onClick={() => add.run(wallet)}
        >
          Add to {wallet.name}
        </Button>
      </div>
      {error !== undefined && (
        <div className="mt-3">
          <ErrorNotice error={error} />
        </div>
      )}
    </section>
  );
}

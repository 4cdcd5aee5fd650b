/** The payment of a step. Amount, token, payee and network are shown before the wallet signs. */
import type { JsonMembers } from '@flowgate/client/flow-wire';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { CodeBlock } from '../../../components/code-block.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Select } from '../../../components/field.tsx';
import { ShortHash } from '../../../components/short-hash.tsx';
import { formatAmount } from '../../../format/amount.ts';
import { useNetworkNames } from '../../../gateway/use-network-names.ts';
import { AddChain } from '../../../wallet/add-chain.tsx';
import { ensureChain } from '../../../wallet/ask-wallet.ts';
import type { InjectedWallet } from '../../../wallet/injected-wallet.ts';
import { useWallet } from '../../../wallet/use-wallet.ts';
import { WalletButton } from '../../../wallet/wallet-button.tsx';
import { WalletProblem } from '../../../wallet/wallet-problem.ts';
import type { RunHandle } from './use-flow-run.ts';
import { type PaymentTerms, payable, signPayment, type TokenFacts, tokenFacts } from './x402-payment.ts';

export type PaymentCardProps = {
  readonly handle: RunHandle;
  readonly accepts: readonly JsonMembers[];
  /** True when the gateway requires the payment now; false while it is only announced. */
  readonly isAsked: boolean;
};

export function PaymentCard({ handle, accepts, isAsked }: PaymentCardProps) {
  const offers = accepts.flatMap((offer) => payable(offer) ?? []);
  const [at, setAt] = useState(0);
  const terms = offers[at] ?? offers[0];
  return (
    <section aria-label="Payment" className="rounded-lg border border-line bg-raised/50 p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="font-semibold">This step requires a payment</h3>
        {terms !== undefined && <WalletButton tone={isAsked ? 'primary' : 'secondary'} />}
      </div>
      {terms === undefined ? (
        <>
          <p className="mt-2 text-sm text-soft">Browser wallets cannot make this payment. Use another x402 client.</p>
          <div className="mt-2">
            <CodeBlock code={JSON.stringify(accepts, undefined, 2)} what="payment requirements" maxHeight="max-h-56" />
          </div>
        </>
      ) : (
        <>
          {offers.length > 1 && (
            <Select
              aria-label="How to pay"
              className="mt-3"
              value={String(at)}
              onChange={({ target }) => setAt(Number(target.value))}
            >
              {offers.map(({ name, chainId }, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: offers are identified by index
                <option key={place} value={String(place)}>
                  {name} on chain {chainId}
                </option>
              ))}
            </Select>
          )}
          <Offer key={at} handle={handle} terms={terms} isAsked={isAsked} />
        </>
      )}
    </section>
  );
}

type OfferProps = { readonly handle: RunHandle; readonly terms: PaymentTerms; readonly isAsked: boolean };

function Offer({ handle: { state, act, isBusy }, terms, isAsked }: OfferProps) {
  const { nameOfChain } = useNetworkNames();
  const { connected, chooseAccount } = useWallet();
  const [error, setError] = useState<unknown>();
  const [isSigning, setSigning] = useState(false);
  const [hasPaid, setPaid] = useState(false);
  const isThere = connected?.chainId === terms.chainId;
  const { data: token, isLoading } = useQuery({
    queryKey: ['x402-token', connected?.wallet.id, connected?.account, terms.chainId, terms.asset],
    queryFn: async () =>
      connected === undefined ? null : ((await tokenFacts(connected.wallet, connected.account, terms)) ?? null),
    enabled: isThere,
    staleTime: 5_000,
  });
  const failure = state.error?.failure;
  const resource = failure?.kind === 'problem' ? Reflect.get(failure.body, 'resource') : undefined;
  const work = (todo: () => Promise<unknown>) => {
    if (isSigning || isBusy) return;
    setSigning(true);
    setError(undefined);
    todo()
      .catch(setError)
      .finally(() => setSigning(false));
  };
  // One action of the run, so nothing else is submitted while the wallet is open, and the signature is not lost.
  const pay = (wallet: InjectedWallet, account: string) =>
    act(async (run) => {
      setSigning(true);
      try {
        const payment = await signPayment(wallet, account, terms, resource);
        setError(undefined);
        setPaid(true);
        await run.pay(payment);
      } catch (reason) {
        setError(reason);
      } finally {
        setSigning(false);
      }
    });
  const moveTo = (wallet: InjectedWallet) => work(() => ensureChain(wallet, terms.chainId));
  const network = nameOfChain(terms.chainId);
  const isShort = token !== undefined && token !== null && BigInt(token.balance) < BigInt(terms.amount);
  return (
    <>
      <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1 text-sm">
        <dt className="self-center text-faint">Amount</dt>
        <dd className="font-medium wrap-anywhere">{amountOf(terms, token)}</dd>
        <dt className="self-center text-faint">Token</dt>
        <dd className="flex min-w-0 flex-wrap items-center gap-x-2">
          <bdi className="wrap-anywhere">{terms.name}</bdi>
          <ShortHash value={terms.asset} what="token address" isWhole />
        </dd>
        <dt className="self-center text-faint">To</dt>
        <dd className="min-w-0">
          <ShortHash value={terms.payTo} what="payee address" isWhole />
        </dd>
        <dt className="self-center text-faint">Network</dt>
        <dd>
          {network} <span className="text-faint">(chain {terms.chainId})</span>
        </dd>
      </dl>
      {hasPaid && isAsked && !isBusy && state.error !== undefined && (
        <div className="mt-3">
          <ErrorNotice error={state.error} title="The payment was not accepted" />
        </div>
      )}
      {isShort && (
        <p className="mt-3">
          <Badge tone="warn">This account has {amountOf({ ...terms, amount: token.balance }, token)}</Badge>
        </p>
      )}
      <p className="mt-3 text-sm text-soft">
        {isAsked
          ? 'Your wallet signs an authorization for exactly this payment. It can be used once, and the gateway collects it before the app continues.'
          : 'You pay when you continue. Nothing is charged before you sign.'}
      </p>
      {error instanceof WalletProblem && error.kind === 'unknown-chain' ? (
        <div className="mt-3">
          <AddChain chainId={terms.chainId} onAdded={moveTo} />
        </div>
      ) : (
        error !== undefined && (
          <div className="mt-3">
            <ErrorNotice error={error} />
          </div>
        )
      )}
      {isAsked && connected !== undefined && (
        <div className="mt-3 flex flex-wrap gap-2">
          {isShort && <Button onClick={() => work(chooseAccount)}>Switch account</Button>}
          {isThere ? (
            <Button
              tone="primary"
              busy={isSigning || isBusy || isLoading}
              onClick={() => pay(connected.wallet, connected.account)}
            >
              {isSigning ? 'Check your wallet…' : `Pay ${amountOf(terms, token)}`}
            </Button>
          ) : (
            <Button tone="primary" busy={isSigning} onClick={() => moveTo(connected.wallet)}>
              Switch {connected.wallet.name} to {network}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

function amountOf({ amount }: PaymentTerms, token: TokenFacts | null | undefined): string {
  return token === undefined || token === null
    ? `${formatAmount(amount, 0)} base units`
    : `${formatAmount(amount, token.decimals)} ${token.symbol}`;
}

/** Signs prepared transactions one by one, with their effects and progress. */
import type { PreparedTransaction } from '@flowgate/client';
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '../components/button.tsx';
import { CodeBlock } from '../components/code-block.tsx';
import { Dialog, DialogButtons } from '../components/dialog.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Check, CircleDashed, LoaderCircle } from '../components/icons.tsx';
import { ShortHash } from '../components/short-hash.tsx';
import { formatAmount } from '../format/amount.ts';
import { shortened } from '../format/shortened.ts';
import { useNetworkNames } from '../gateway/use-network-names.ts';
import { AddChain } from './add-chain.tsx';
import { CallFact } from './call-fact.tsx';
import { ConnectDialog, WalletIcon } from './connect-dialog.tsx';
import { knownCall } from './known-calls.ts';
import { type Signing, useSigning } from './use-signing.ts';
import { useWallet } from './use-wallet.ts';
import { WalletProblem } from './wallet-problem.ts';

export type SignTransactionsDialogProps = {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly transactions: readonly PreparedTransaction[];
  /** All transactions are in blocks, or the user skipped waiting. */
  readonly onDone: (hashes: readonly string[]) => void;
  readonly onClose: () => void;
};

export function SignTransactionsDialog({ title, lead, transactions, onDone, onClose }: SignTransactionsDialogProps) {
  const signing = useSigning(transactions, onDone);
  const { phase, hashes, error } = signing;
  const next = transactions[hashes.length];
  return (
    <Dialog title={title} {...(lead !== undefined && { lead })} onClose={onClose}>
      <ol className="flex flex-col divide-y divide-line rounded-lg border border-line">
        {transactions.map((transaction, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the transactions have a fixed order
          <li key={at} className="flex gap-3 px-4 py-3">
            <StepIcon state={stateOf(signing, at)} />
            <div className="min-w-0 flex-1">
              <p className="font-medium break-words">{transaction.description}</p>
              <TransactionFacts of={transaction} />
              {hashes[at] !== undefined && (
                <p className="text-sm text-soft">
                  Sent: <ShortHash value={hashes[at]} what="transaction hash" />
                </p>
              )}
            </div>
          </li>
        ))}
      </ol>
      <p role="status" className="mt-3 min-h-5 text-sm text-soft">
        {phase === 'ready' && next !== undefined && `To be signed by ${shortened(next.from)}.`}
        {phase === 'in-wallet' && 'Your wallet asks you to sign. Review the request in the wallet.'}
        {phase === 'sent' && 'Sent. Waiting for a block that includes it…'}
        {phase === 'done' && error === undefined && 'Done.'}
      </p>
      {error instanceof WalletProblem && error.kind === 'unknown-chain' && next !== undefined ? (
        <AddChain key={next.chainId} chainId={next.chainId} onAdded={signing.sign} />
      ) : (
        error !== undefined && <ErrorNotice error={error} />
      )}
      <SignElsewhere transactions={transactions} />
      <Buttons signing={signing} next={next} onClose={onClose} />
    </Dialog>
  );
}

/** Recipient and arguments of a known function. For other functions, the gateway's description is shown. */
function TransactionFacts({ of: { to, data, value, chainId } }: { readonly of: PreparedTransaction }) {
  const { nameOfChain } = useNetworkNames();
  const facts: readonly (readonly [name: string, shown: ReactNode])[] = [
    ['Network', nameOfChain(chainId)],
    ['Contract', <ShortHash key="to" value={to} what="contract address" isWhole />],
    ...(value === '0' ? [] : [['Value', `${formatAmount(value, 18)} ETH`] as const]),
    ...(knownCall(to, data)?.facts ?? []).map(
      (fact) => [fact.name, <CallFact key={fact.name} of={fact} chainId={chainId} />] as const,
    ),
  ];
  return (
    <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-sm text-soft">
      {facts.map(([name, shown]) => (
        <div key={name} className="contents">
          <dt className="self-center text-faint">{name}</dt>
          <dd className="min-w-0 wrap-anywhere">{shown}</dd>
        </div>
      ))}
    </dl>
  );
}

type ButtonsProps = {
  readonly signing: Signing;
  readonly next: PreparedTransaction | undefined;
  readonly onClose: () => void;
};

/** After this wait, the user may skip waiting. */
const patienceMs = 20_000;

function Buttons({ signing, next, onClose }: ButtonsProps) {
  const { connected, chooseAccount } = useWallet();
  const { phase, error, hashes } = signing;
  const [isConnecting, setConnecting] = useState(false);
  const [isLate, setLate] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: restarts for each sent transaction
  useEffect(() => {
    setLate(false);
    if (phase !== 'sent') return;
    const timer = setTimeout(() => setLate(true), patienceMs);
    return () => clearTimeout(timer);
  }, [phase, hashes.length]);
  const isOtherAccount = error instanceof WalletProblem && error.kind === 'other-account';
  return (
    <DialogButtons>
      <Button onClick={onClose}>{phase === 'ready' && hashes.length === 0 ? 'Cancel' : 'Close'}</Button>
      {isLate && <Button onClick={signing.skipWait}>Skip waiting</Button>}
      {isOtherAccount && (
        // The notice names the account; the wallet's own response shows whether the switch worked.
        <Button onClick={() => void chooseAccount().catch(() => {})}>Switch account</Button>
      )}
      {connected === undefined ? (
        <Button tone="primary" onClick={() => setConnecting(true)}>
          Connect wallet
        </Button>
      ) : (
        phase !== 'done' && (
          <Button tone="primary" busy={phase !== 'ready'} onClick={() => signing.sign(connected.wallet)}>
            <WalletIcon wallet={connected.wallet} className="size-5" />
            {next !== undefined && phase !== 'sent' ? `Sign with ${connected.wallet.name}` : 'Waiting for wallet…'}
          </Button>
        )
      )}
      {isConnecting && <ConnectDialog onConnected={() => setConnecting(false)} onClose={() => setConnecting(false)} />}
    </DialogButtons>
  );
}

type StepState = 'done' | 'now' | 'later' | 'failed';

function stateOf({ phase, hashes, error }: Signing, at: number): StepState {
  if (phase === 'done')
    return error !== undefined && at === hashes.length - 1 ? 'failed' : at < hashes.length ? 'done' : 'later';
  if (phase === 'sent') return at < hashes.length - 1 ? 'done' : at === hashes.length - 1 ? 'now' : 'later';
  if (at < hashes.length) return 'done';
  return phase === 'in-wallet' && at === hashes.length ? 'now' : 'later';
}

const stateWords: Readonly<Record<StepState, string>> = {
  ...{ done: 'Done:', now: 'Now:', later: 'To sign:', failed: 'Failed:' },
};

function StepIcon({ state }: { readonly state: StepState }) {
  return (
    <span className="mt-0.5 shrink-0">
      {state === 'done' && <Check aria-hidden="true" className="size-4.5 text-good" />}
      {state === 'now' && <LoaderCircle aria-hidden="true" className="size-4.5 animate-spin text-accent" />}
      {(state === 'later' || state === 'failed') && (
        <CircleDashed aria-hidden="true" className={state === 'failed' ? 'size-4.5 text-bad' : 'size-4.5 text-faint'} />
      )}
      <span className="sr-only">{stateWords[state]}</span>
    </span>
  );
}

/** For contract wallets, command-line signers and wallets outside this browser. */
function SignElsewhere({ transactions }: { readonly transactions: readonly PreparedTransaction[] }) {
  return (
    <details className="mt-3 text-sm">
      <summary className="w-fit rounded text-soft hover:text-ink">Sign elsewhere</summary>
      <div className="mt-2">
        <CodeBlock code={JSON.stringify(transactions, undefined, 2)} what="transactions" maxHeight="max-h-56" />
      </div>
    </details>
  );
}

/** A step's prepared transaction: shows what it does and has a wallet sign it once. */
import type { JsonMembers, StepSpec } from '@flowgate/client/flow-wire';
import { useRef, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { CodeBlock } from '../../../components/code-block.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { ShortHash } from '../../../components/short-hash.tsx';
import { AddChain } from '../../../wallet/add-chain.tsx';
import type { InjectedWallet } from '../../../wallet/injected-wallet.ts';
import { useWallet } from '../../../wallet/use-wallet.ts';
import { WalletButton } from '../../../wallet/wallet-button.tsx';
import { WalletProblem, type WalletProblemKind } from '../../../wallet/wallet-problem.ts';
import { NonceUsed, readBack, type SignedByWallet, signStep, type ToSign, toSign } from './sign-step.ts';
import { TransactionTerms } from './transaction-terms.tsx';
import type { RunHandle } from './use-flow-run.ts';

/** Name in the run's journal, next to the fields' values. */
const walletMember = 'wallet';

/** After these errors it is unknown whether the wallet sent the transaction. */
const mayHaveSent: readonly WalletProblemKind[] = ['failed', 'waiting', 'away'];

type StoredSignature = SignedByWallet & { readonly isAsked?: true };

export type TransactionCardProps = {
  readonly handle: RunHandle;
  readonly step: StepSpec;
  /** Fills in the step's fields. */
  readonly onSigned: (values: JsonMembers) => void;
};

export function TransactionCard({ handle: { run }, step, onSigned }: TransactionCardProps) {
  const { transaction, fields } = step;
  const terms = transaction === undefined ? undefined : toSign(transaction);
  const { connected, chooseAccount } = useWallet();
  const [stored, setStored] = useState<StoredSignature>(
    () => (run.signed()[walletMember] as StoredSignature | undefined) ?? {},
  );
  const [isBusy, setBusy] = useState(false);
  /** A ref changes synchronously: a stale callback must not request a second signature. */
  const isWorking = useRef(false);
  const [error, setError] = useState<unknown>();
  const [stateVersion] = useState(run.state().session?.stateVersion);
  if (transaction === undefined) return null;
  const wantsRaw = fields.some(({ type }) => type === 'signedTransaction');
  const hasMovedOn = () => run.state().session?.stateVersion !== stateVersion;
  const keep = async (values: StoredSignature) => {
    // The session reached another step while the wallet was open, so the result belongs to no step.
    if (hasMovedOn()) return;
    const filled = Object.fromEntries(
      fields.flatMap(({ fieldId, type }) => {
        const value = type === 'signedTransaction' ? values.raw : type === 'txHash' ? values.hash : undefined;
        return value === undefined ? [] : [[fieldId, value]];
      }),
    );
    await run.keepSigned({ ...filled, [walletMember]: values });
    setStored(values);
    onSigned(filled);
  };
  const work = async (todo: () => Promise<SignedByWallet>) => {
    if (isWorking.current) return;
    isWorking.current = true;
    setBusy(true);
    setError(undefined);
    const before = stored;
    try {
      await keep({ isAsked: true, ...(await todo()) });
    } catch (reason) {
      // The user refused, so the state before this attempt is still correct.
      if (reason instanceof WalletProblem && !mayHaveSent.includes(reason.kind)) await keep(before);
      setError(reason);
    }
    isWorking.current = false;
    setBusy(false);
  };
  const sign = (wallet: InjectedWallet) => {
    if (terms === undefined) return;
    const keepFirst = async (values: StoredSignature) => {
      if (values.hash === undefined && hasMovedOn())
        throw new WalletProblem('unsupported', 'The session changed in the meantime. Nothing was signed.');
      await keep(values);
    };
    void work(() => signStep({ wallet, terms, wantsRaw, keep: keepFirst }));
  };
  const { hash, raw } = stored;
  const isSigned = hash !== undefined || raw !== undefined;
  return (
    <section aria-label="Transaction" className="rounded-lg border border-line bg-raised/50 p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="font-semibold">Transaction to sign</h3>
        <WalletButton tone={isSigned ? 'secondary' : 'primary'} />
      </div>
      {terms === undefined ? (
        <p className="mt-2 text-sm text-soft">
          The console cannot read the signer or the chain of this transaction. Sign it elsewhere, then paste the result
          below.
        </p>
      ) : (
        <TransactionTerms of={terms} />
      )}
      <details className="mt-2 text-sm">
        <summary className="w-fit text-soft hover:text-ink">Show the prepared transaction to sign it elsewhere</summary>
        <div className="mt-2">
          <CodeBlock
            code={JSON.stringify(transaction, undefined, 2)}
            what="prepared transaction"
            maxHeight="max-h-56"
          />
        </div>
      </details>
      <div role="status" className="mt-3 text-sm">
        {isBusy && !isSigned && <p>Review the transaction in your wallet, then confirm it.</p>}
        {isSigned && <Outcome stored={stored} wantsRaw={wantsRaw} isBusy={isBusy} />}
        {!isBusy && !isSigned && stored.isAsked === true && error === undefined && (
          <p className="text-warn">
            Your wallet was asked to sign before this page reloaded. Check whether it sent the transaction before you
            sign again.
          </p>
        )}
      </div>
      <Trouble error={error} terms={terms} onAdded={sign} />
      {connected !== undefined && terms !== undefined && !isSigned && (
        <div className="mt-3 flex flex-wrap gap-2">
          {error instanceof WalletProblem && error.kind === 'other-account' && (
            <Button onClick={() => void chooseAccount().catch(setError)}>Switch account</Button>
          )}
          <Button tone="primary" busy={isBusy} onClick={() => sign(connected.wallet)}>
            Sign with {connected.wallet.name}
          </Button>
        </div>
      )}
      {connected !== undefined && terms !== undefined && hash !== undefined && raw === undefined && !isBusy && (
        <Button
          size="sm"
          className="mt-3"
          onClick={() => void work(async () => ({ hash, ...(await readBack(connected.wallet, hash, terms)) }))}
        >
          Check the chain again
        </Button>
      )}
    </section>
  );
}

type OutcomeProps = { readonly stored: StoredSignature; readonly wantsRaw: boolean; readonly isBusy: boolean };

function Outcome({ stored: { hash, raw, isChanged }, wantsRaw, isBusy }: OutcomeProps) {
  return (
    <div className="flex flex-col gap-1">
      <p className="flex flex-wrap items-center gap-x-2 font-medium text-good">
        {hash === undefined ? (
          'Signed. It is sent when you continue.'
        ) : (
          <>
            Signed and sent by your wallet: <ShortHash value={hash} what="transaction hash" />
          </>
        )}
      </p>
      {raw !== undefined && wantsRaw && isChanged !== true && <p>Continue below.</p>}
      {hash !== undefined && raw === undefined && (
        <p className="text-soft">
          {isBusy
            ? 'Checking the chain…'
            : 'The signed transaction could not be read back from the chain. If the step has an action for a transaction that the wallet sent, choose it.'}
        </p>
      )}
      {isChanged === true && (
        <p className="text-warn">
          Your wallet changed the transaction, perhaps its fees. If the app does not accept it, choose the action for a
          transaction that the wallet sent.
        </p>
      )}
    </div>
  );
}

type TroubleProps = {
  readonly error: unknown;
  readonly terms: ToSign | undefined;
  readonly onAdded: (wallet: InjectedWallet) => void;
};

function Trouble({ error, terms, onAdded }: TroubleProps) {
  if (error === undefined) return null;
  if (error instanceof WalletProblem && error.kind === 'unknown-chain' && terms !== undefined)
    return (
      <div className="mt-3">
        <AddChain chainId={Number(terms.chainId)} onAdded={onAdded} />
      </div>
    );
  return (
    <div className="mt-3">
      <ErrorNotice
        error={error}
        {...(error instanceof NonceUsed && {
          title: 'This account has sent a transaction in the meantime',
          text: 'It may be this transaction: check your wallet. Then choose the app’s action to check it or to prepare it again.',
        })}
      />
    </div>
  );
}

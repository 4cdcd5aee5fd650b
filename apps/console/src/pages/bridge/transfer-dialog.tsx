/** Form for a deposit or withdrawal: the gateway prepares the transactions, the wallet signs them. */
import type { BridgeRecord, BridgeTransferInput, PreparedTransaction, Wallet } from '@flowgate/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogButtons } from '../../components/dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Field, Select, TextInput } from '../../components/field.tsx';
import { useToast } from '../../components/toast.tsx';
import { useDraft } from '../../components/use-draft.ts';
import { fieldProblems } from '../../gateway/field-problems.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { useAction } from '../../gateway/use-action.ts';
import { useBridges } from '../../gateway/use-bridges.ts';
import { useNetworkNames } from '../../gateway/use-network-names.ts';
import { readDecimals } from '../../wallet/read-token.ts';
import { SignTransactionsDialog } from '../../wallet/sign-transactions-dialog.tsx';
import { AmountField, baseUnitsOf, inPeoplesUnits } from '../ledger/amount-field.tsx';
import { DecimalsFromWallet } from '../ledger/decimals-from-wallet.tsx';
import { useDefaultWallet, useLinkedWallets, walletTitle } from '../ledger/linked-wallets.ts';
import { otherToken, tokenChoices, useSeenTokens } from './token-choices.ts';

export type TransferDialogProps = { readonly direction: 'deposit' | 'withdrawal'; readonly onClose: () => void };

const words = {
  deposit: {
    title: 'Deposit',
    lead: 'From L1 to L2. The gateway prepares the transaction. Your wallet signs and sends it on L1.',
    sent: 'Deposit sent on L1',
  },
  withdrawal: {
    title: 'Withdraw',
    lead: 'From L2 to L1. Two more signatures follow on L1: one to prove the withdrawal, one to finalize it.',
    sent: 'Withdrawal sent on L2',
  },
} as const;

export function TransferDialog(props: TransferDialogProps) {
  const { bridges = [] } = useBridges();
  const wallets = useLinkedWallets() ?? [];
  const [transactions, setTransactions] = useState<readonly PreparedTransaction[]>();
  const toast = useToast();
  const queries = useQueryClient();
  const { direction, onClose } = props;
  const { title, sent } = words[direction];
  if (transactions === undefined)
    return <TransferForm {...props} {...{ bridges, wallets }} onPrepared={setTransactions} />;
  return (
    <SignTransactionsDialog
      title={title}
      transactions={transactions}
      onDone={() => {
        toast({ title: sent, text: 'It appears in the list within seconds.', tone: 'good' });
        for (const queryKey of [[`${direction}s`], ['history']]) void queries.invalidateQueries({ queryKey });
        onClose();
      }}
      onClose={onClose}
    />
  );
}

const empty = { bridgeId: '', wallet: '', token: 'native', address: '', amount: '', to: '' };

type TransferFormProps = TransferDialogProps & {
  readonly bridges: readonly BridgeRecord[];
  readonly wallets: readonly Wallet[];
  readonly onPrepared: (transactions: readonly PreparedTransaction[]) => void;
};

function TransferForm({ direction, bridges, wallets, onPrepared, onClose }: TransferFormProps) {
  const client = useGateway();
  const { nameOf } = useNetworkNames();
  const [draft, setDraft, clearDraft] = useDraft(direction, empty);
  const [read, setRead] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const defaultWallet = useDefaultWallet();
  const bridge = bridges.find(({ bridgeId }) => bridgeId === draft.bridgeId) ?? bridges[0];
  const wallet = wallets.find(({ address }) => address === draft.wallet) ?? defaultWallet;
  const choices = tokenChoices(direction, bridge, useSeenTokens());
  const chosen = choices.find(({ value }) => value === draft.token) ?? choices[0];
  const isOther = chosen?.value === otherToken;
  const decimals = isOther ? read : chosen?.decimals;
  const symbol = isOther ? undefined : chosen?.symbol;
  const place = direction === 'deposit' ? bridge?.l1 : bridge?.l2;
  const prepare = useAction({
    run: (input: BridgeTransferInput) => client[direction === 'deposit' ? 'deposits' : 'withdrawals'].prepare(input),
    onDone: ({ transactions }) => {
      clearDraft();
      onPrepared(transactions);
    },
    showsError: true,
  });
  const problems = fieldProblems(prepare.error, ['bridgeId', 'wallet', 'token', 'amount', 'to']);
  const change = (more: Partial<typeof empty>) => {
    setDraft({ ...draft, ...more });
    setProblem(undefined);
    prepare.reset();
  };
  const send = () => {
    if (bridge === undefined || wallet === undefined) return;
    const parsed = baseUnitsOf(draft.amount, decimals);
    setProblem(parsed.ok ? undefined : parsed.problem);
    if (!parsed.ok) return;
    const token = isOther ? draft.address.trim() : (chosen?.value ?? 'native');
    const to = draft.to.trim();
    prepare.run({
      ...{ bridgeId: bridge.bridgeId, wallet: wallet.address, token, amount: parsed.baseUnits },
      ...(to === '' ? {} : { to }),
    });
  };
  return (
    <Dialog title={words[direction].title} lead={words[direction].lead} onClose={onClose}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        {bridges.length > 1 && (
          <Field label="Bridge" problem={problems.at.bridgeId}>
            {(control) => (
              <Select
                {...control}
                value={bridge?.bridgeId ?? ''}
                // Bridges support different tokens.
                onChange={({ target }) => change({ bridgeId: target.value, token: 'native', amount: '' })}
              >
                {bridges.map(({ bridgeId, name }) => (
                  <option key={bridgeId} value={bridgeId}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
        <Field
          label="From"
          hint={place === undefined ? undefined : `Signs on ${nameOf(place)}.`}
          problem={problems.at.wallet}
        >
          {(control) => (
            <Select
              {...control}
              value={wallet?.address ?? ''}
              onChange={({ target }) => change({ wallet: target.value })}
            >
              {wallets.map((each) => (
                <option key={each.address} value={each.address}>
                  {walletTitle(each)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Token" problem={isOther ? undefined : problems.at.token}>
          {(control) => (
            <Select
              {...control}
              value={chosen?.value}
              onChange={({ target }) => {
                // With another token, the same digits mean another amount.
                change({ token: target.value, amount: '' });
                setRead(undefined);
              }}
            >
              {choices.map(({ value, title }) => (
                <option key={value} value={value}>
                  {title}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {isOther && (
          <Field
            label="Token address"
            hint="On either chain. Token names are not unique: only the address identifies a token."
            problem={problems.at.token}
          >
            {(control) => (
              <TextInput
                {...control}
                autoComplete="off"
                spellCheck={false}
                placeholder="0x"
                className="font-mono"
                value={draft.address}
                onChange={({ target }) => {
                  change({ address: target.value, amount: '' });
                  setRead(undefined);
                }}
              />
            )}
          </Field>
        )}
        <div>
          <AmountField
            value={draft.amount}
            onChange={(amount) => change({ amount })}
            decimals={decimals}
            symbol={symbol}
            problem={problem ?? inPeoplesUnits(problems.at.amount, decimals, symbol)}
          />
          {isOther && read === undefined && place !== undefined && draft.address.trim() !== '' && (
            <DecimalsFromWallet
              key={draft.address}
              read={(from) => readDecimals(from, place.chainId, draft.address.trim())}
              onRead={(found) => {
                change({ amount: '' });
                setRead(found);
              }}
            />
          )}
        </div>
        <Field
          label="To"
          optional={wallet?.kind !== 'contract'}
          hint={
            wallet?.kind === 'contract'
              ? 'This wallet is a contract. Its address may belong to another user on the other chain, so enter a recipient.'
              : 'Leave empty to use the same wallet on the other chain.'
          }
          problem={problems.at.to}
        >
          {(control) => (
            <TextInput
              {...control}
              autoComplete="off"
              spellCheck={false}
              placeholder="0x"
              className="font-mono"
              value={draft.to}
              onChange={({ target }) => change({ to: target.value })}
            />
          )}
        </Field>
        {problems.isElsewhere && <ErrorNotice error={prepare.error} />}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={prepare.busy}>
            {prepare.busy ? 'Preparing…' : 'Continue'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** Form to stake, unstake or claim: the gateway prepares the transactions. */
import type { ContractRecord, PreparedTransaction, Stake, StakeTransactionInput, Wallet } from '@flowgate/client';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogButtons } from '../../components/dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Field, Select } from '../../components/field.tsx';
import { formatAmount } from '../../format/amount.ts';
import { fieldProblems } from '../../gateway/field-problems.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { useAction } from '../../gateway/use-action.ts';
import { useNetworkNames } from '../../gateway/use-network-names.ts';
import { readStakingDecimals } from '../../wallet/read-token.ts';
import { AmountField, baseUnitsOf, inPeoplesUnits } from '../ledger/amount-field.tsx';
import { DecimalsFromWallet } from '../ledger/decimals-from-wallet.tsx';
import { useDefaultWallet, walletTitle } from '../ledger/linked-wallets.ts';
import { TokenAmount } from '../ledger/token-amount.tsx';

type Action = StakeTransactionInput['action'];

export type StakeWish = { readonly action: Action; readonly position?: Stake };

export type StakeDialogProps = {
  readonly wish: StakeWish;
  readonly contracts: readonly ContractRecord[];
  readonly wallets: readonly Wallet[];
  readonly onPrepared: (title: string, transactions: readonly PreparedTransaction[]) => void;
  readonly onClose: () => void;
};

const words: Readonly<Record<Action, readonly [title: string, lead: string]>> = {
  stake: ['Stake', 'If needed, your wallet first approves exactly this amount for the contract.'],
  unstake: ['Unstake', 'Withdraws part of the stake. Rewards remain claimable.'],
  claim: ['Claim', 'Sends all rewards to the wallet.'],
  exit: ['Exit', 'Withdraws the whole stake and all rewards.'],
};

export function StakeDialog({ wish: { action, position }, contracts, wallets, onPrepared, onClose }: StakeDialogProps) {
  const client = useGateway();
  const { networks, nameOf } = useNetworkNames();
  const defaultWallet = useDefaultWallet();
  const [contractId, setContractId] = useState(position?.contractId ?? contracts[0]?.contractId ?? '');
  const [wallet, setWallet] = useState(position?.wallet ?? defaultWallet?.address ?? '');
  const [amount, setAmount] = useState('');
  const [read, setRead] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const contract = contracts.find((each) => each.contractId === contractId);
  const { decimals, symbol } = position?.stakingToken ?? { decimals: read, symbol: undefined };
  const hasAmount = action === 'stake' || action === 'unstake';
  const [title, lead] = words[action];
  const prepare = useAction({
    run: (input: StakeTransactionInput) => client.stakes.prepare(input),
    onDone: ({ transactions }) => onPrepared(title, transactions),
    showsError: true,
  });
  const problems = fieldProblems(prepare.error, ['amount', 'wallet', 'contractId']);
  const chainId = networks?.find(
    (each) => each.dlt === contract?.dlt && each.networkId === contract.networkId,
  )?.chainId;
  const send = () => {
    const place = position ?? contract;
    if (place === undefined) return;
    const input = { contractId, dlt: place.dlt, networkId: place.networkId, wallet, action };
    if (!hasAmount) return prepare.run(input);
    const parsed = baseUnitsOf(amount, decimals);
    setProblem(parsed.ok ? undefined : parsed.problem);
    if (parsed.ok) prepare.run({ ...input, amount: parsed.baseUnits });
  };
  return (
    <Dialog title={title} lead={lead} onClose={onClose}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        {position === undefined ? (
          <>
            <Field label="Contract" problem={problems.at.contractId}>
              {(control) => (
                <Select
                  {...control}
                  value={contractId}
                  onChange={({ target }) => {
                    setContractId(target.value);
                    // With another token, the same digits mean another amount.
                    setAmount('');
                    setRead(undefined);
                  }}
                >
                  {contracts.map((each) => (
                    <option key={each.contractId} value={each.contractId}>
                      {each.name ?? each.contractId} ({nameOf(each)})
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <Field label="Wallet" problem={problems.at.wallet}>
              {(control) => (
                <Select {...control} value={wallet} onChange={({ target }) => setWallet(target.value)}>
                  {wallets.map((each) => (
                    <option key={each.address} value={each.address}>
                      {walletTitle(each)}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
          </>
        ) : (
          <Position of={position} />
        )}
        {hasAmount && (
          <div>
            <AmountField
              value={amount}
              onChange={(text) => {
                setAmount(text);
                setProblem(undefined);
                prepare.reset();
              }}
              decimals={decimals}
              symbol={symbol}
              problem={problem ?? inPeoplesUnits(problems.at.amount, decimals, symbol)}
            />
            {action === 'unstake' && position !== undefined && (
              <Button
                tone="quiet"
                size="sm"
                className="mt-1 -ml-2.5"
                onClick={() =>
                  setAmount(formatAmount(position.staked, position.stakingToken.decimals).replaceAll(',', ''))
                }
              >
                Use maximum
              </Button>
            )}
            {decimals === undefined && contract !== undefined && chainId !== undefined && (
              <DecimalsFromWallet
                key={contractId}
                read={(from) => readStakingDecimals(from, chainId, contract.address)}
                onRead={(found) => {
                  setAmount('');
                  setRead(found);
                }}
              />
            )}
          </div>
        )}
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

function Position({ of: { staked, earned, stakingToken, rewardsToken } }: { readonly of: Stake }) {
  return (
    <dl className="grid grid-cols-2 gap-4 rounded-lg border border-line bg-raised px-4 py-3">
      <div className="min-w-0">
        <dt className="text-sm text-soft">Staked</dt>
        <dd className="font-medium">
          <TokenAmount {...stakingToken} amount={staked} />
        </dd>
      </div>
      <div className="min-w-0">
        <dt className="text-sm text-soft">Earned</dt>
        <dd className="font-medium">
          <TokenAmount {...rewardsToken} amount={earned} />
        </dd>
      </div>
    </dl>
  );
}

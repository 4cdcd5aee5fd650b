/** Plans the transactions that send ether or a token to the other side of a bridge, from the wallet's balance and allowance on the chain. */

import { type Refused, type Result, refused } from '@flowgate/base/result';
import { type BodyRefusal, refusedForOne } from '@flowgate/body-schema/body-problems';
import type { BodyOf } from '@flowgate/body-schema/body-schema';
import { checksumAddress } from '@flowgate/chain/evm-address';
import type { PermittedOn } from '../../prepared/permitted-on.ts';
import { networkAway, type PlannedFor, preparePlan } from '../../prepared/prepare-plan.ts';
import type { preparedTransactions } from '../../prepared/prepared-transactions.ts';
import { amountProblem, readSpending, shownAmount, withApproval } from '../../prepared/spending-plan.ts';
import type { FindTokenFacts } from '../../prepared/token-facts.ts';
import { type ChainView, viewChain } from '../../prepared/view-chain.ts';
import { ownNodesOf } from '../../upstream/networks/own-nodes.ts';
import type { Bridge } from '../bridges/bridge.ts';
import type { BridgeWallet } from '../bridges/bridge-wallet.ts';
import { quantityOf, signedFee } from './signed-fee.ts';
import { counterpartOf, type KnownPair } from './token-of-bridge.ts';

export type Crossing = {
  readonly bridge: Bridge;
  /** The sending side. */
  readonly source: 'l1' | 'l2';
  readonly wallet: BridgeWallet;
  /** In lower case. */
  readonly to: string;
  /** The standard bridge on the sending side. */
  readonly contract: string;
  readonly amount: bigint;
  readonly view: ChainView;
  readonly mayBeSent: PermittedOn['mayBeSent'];
  readonly userId: string;
  readonly tokenFacts: FindTokenFacts;
};

export type PreparedTransfer =
  | Result<BodyOf<typeof preparedTransactions>, 'bad-gateway' | 'denied' | 'not-found' | 'unavailable'>
  | BodyRefusal;

/** A deposit burns L1 gas for the gas of L2, and more when a block has several deposits. */
const gasTerms = { roomInTenths: 5n, unknownGas: 3_000_000n } as const;

export async function transferEther(crossing: Crossing): Promise<PreparedTransfer> {
  const { bridge, source, wallet, to, contract, amount, view } = crossing;
  const { network, chainId } = bridge[source];
  const balance = await quantityOf(view, 'eth_getBalance', [wallet.address, block(view)]);
  if (balance === undefined) return networkAway(network);
  const problem = amountProblem(amount, balance, 'has');
  if (problem !== undefined) return refusedForOne(problem);
  const { bridgeEther } = await import('./bridge-calls.ts');
  const description = await describe(crossing, { address: '', symbol: 'ETH', decimals: 18 });
  const transaction = { to: contract, data: bridgeEther(to), value: amount, description };
  const prepared = await preparePlan(planned(crossing), { transactions: [transaction] });
  // The account that executes a contract wallet's transactions pays their fees.
  if (!prepared.ok || wallet.kind === 'contract') return prepared;
  const gas = BigInt(prepared.value.transactions[0]?.gas ?? 0);
  const terms = { ...transaction, gas, chainId, isRollup: source === 'l2' };
  const fee = await signedFee(view, terms);
  if (fee === undefined) return networkAway(network);
  if (amount + fee <= balance) return prepared;
  const max = balance - fee;
  return refusedForOne(
    max > 0n
      ? `amount leaves too little for fees. At most ${max} can be sent now; the wallet has ${balance}`
      : `the wallet has too little for fees: it has ${balance}, and the transaction may cost ${fee}`,
  );
}

export async function transferToken(crossing: Crossing, { pair, isConfigured }: KnownPair): Promise<PreparedTransfer> {
  const { bridge, source, wallet, to, contract, amount, view } = crossing;
  const { network } = bridge[source];
  const [local, remote] = source === 'l1' ? [pair.l1, pair.l2] : [pair.l2, pair.l1];
  const [spending, named, facts] = await Promise.all([
    readSpending(view, local, wallet.address, contract),
    counterpartOf(view, local),
    crossing.tokenFacts(network, view, [local]),
  ]);
  const token = facts?.get(local);
  if (spending === 'unavailable' || named === 'unavailable' || token === undefined) return networkAway(network);
  if (spending === 'unreadable')
    return refused('bad-gateway', `The token ${checksumAddress(local)} fails, or does not answer as one.`);
  const problem = amountProblem(amount, spending.balance, 'has');
  if (problem !== undefined) return refusedForOne(problem);
  const isMintable = named !== 'not-mintable';
  const fault = isConfigured && !isMintable ? await remoteFault(crossing, remote, local) : undefined;
  if (fault !== undefined) return fault;
  const { bridgeToken } = await import('./bridge-calls.ts');
  const description = await describe(crossing, token);
  const transaction = { to: contract, data: bridgeToken(local, remote, to, amount), description };
  // The bridge burns tokens that it mints without an allowance.
  const plan = isMintable
    ? { transactions: [transaction] }
    : await withApproval(spending, token, { name: bridge.name, address: contract }, amount, transaction);
  return preparePlan(planned(crossing), plan);
}

/** For a configured pair: the bridge on this side would lock a token that the other side does not know forever. */
async function remoteFault(
  { bridge, source, userId }: Crossing,
  remote: string,
  local: string,
): Promise<Refused<'bad-gateway'> | undefined> {
  const { network } = bridge[source === 'l1' ? 'l2' : 'l1'];
  const { nodes } = network;
  const view = await viewChain({ pool: ownNodesOf(nodes), nodes }, userId);
  const named = view === undefined ? 'unavailable' : await counterpartOf(view, remote);
  if (named === 'unavailable') return networkAway(network);
  if (named !== 'not-mintable' && named.counterpart === local) return undefined;
  return refused(
    'bad-gateway',
    `The token ${checksumAddress(remote)} on the other side is not that of ${checksumAddress(local)}.`,
  );
}

function planned({ bridge, source, wallet, view, mayBeSent }: Crossing): PlannedFor {
  const { network, chainId } = bridge[source];
  return { ...{ view, network, chainId, mayBeSent }, from: wallet.address, gas: gasTerms };
}

async function describe(
  { bridge, source, amount, wallet, to }: Crossing,
  token: Parameters<typeof shownAmount>[1],
): Promise<string> {
  const [verb, end] = source === 'l1' ? ['Deposit', 'L2'] : ['Withdraw', 'L1'];
  const other = bridge[source === 'l1' ? 'l2' : 'l1'];
  const receiver = to === wallet.address ? '' : ` to ${checksumAddress(to)}`;
  const later = source === 'l2' ? '; there it has to be proven and finalized' : '';
  const what = await shownAmount(amount, token);
  return `${verb} ${what} by ${bridge.name}${receiver} on ${end} (${other.dlt}/${other.networkId})${later}`;
}

const block = ({ blockNumber }: ChainView) => `0x${blockNumber.toString(16)}`;

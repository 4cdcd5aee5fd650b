/** Prepares the transaction that relays a failed message again, checked against the chain (contract/transfers#replays). The gateway signs and sends nothing. */

import type { TimeSlices } from '@flowgate/async/time-slices';
import { type Result, refused } from '@flowgate/base/result';
import { type BodyRefusal, refusedForOne } from '@flowgate/body-schema/body-problems';
import type { BodyOf } from '@flowgate/body-schema/body-schema';
import { checkedBody } from '@flowgate/body-schema/checked-body';
import { l2Contracts } from '@flowgate/chain/blocks/bridge-log';
import { keccak256 } from '@flowgate/chain/keccak';
import { isJsonObject } from '@flowgate/json/json-object';
import type { Caller } from '../../api/caller.ts';
import type { Firewall } from '../../api/firewall.ts';
import { permittedOn } from '../../prepared/permitted-on.ts';
import { networkAway, preparePlan } from '../../prepared/prepare-plan.ts';
import type { preparedTransactions } from '../../prepared/prepared-transactions.ts';
import { shownText } from '../../prepared/shown-text.ts';
import { viewChain } from '../../prepared/view-chain.ts';
import type { Bridge, BridgeSide } from '../bridges/bridge.ts';
import { type BridgeWallet, notLinked, senderOn, type WalletsOf } from '../bridges/bridge-wallet.ts';
import { ChainAway, createChainReader } from '../chain/chain-reader.ts';
import type { DepositStore } from '../deposits/deposit-store.ts';
import { noSuchDeposit, visibleDeposit } from '../deposits/list-deposits.ts';
import { noSuchWithdrawal, visibleWithdrawal } from '../withdrawals/list-withdrawals.ts';
import type { WithdrawalStore } from '../withdrawals/withdrawal-store.ts';
import { replayInput } from './replay-input.ts';

export type ReplayDeps = {
  readonly bridges: readonly Bridge[];
  readonly walletsOf: WalletsOf;
  readonly deposits: Pick<DepositStore, 'find'>;
  readonly withdrawals: Pick<WithdrawalStore, 'find' | 'tuple'>;
  readonly firewall: Firewall;
  readonly timeSlices: TimeSlices;
};

type Prepared =
  | Result<BodyOf<typeof preparedTransactions>, 'bad-gateway' | 'conflict' | 'denied' | 'not-found' | 'unavailable'>
  | BodyRefusal;

/** A message, and the messenger that relays it. */
type Message = {
  readonly bridge: Bridge;
  readonly side: BridgeSide;
  readonly messenger: `0x${string}`;
  readonly wallets: readonly BridgeWallet[];
  readonly preferred: readonly string[];
  readonly messageHash: string | undefined;
  /** The call of `relayMessage`; undefined when the node does not have it. */
  readonly call: () => Promise<string | undefined>;
};

const relaySelector = '0xd764ad0b';
/** The messenger stops without a failure when too little gas is left for the message, so the estimate may be too low. */
const messengerGas = 250_000n;
const gas = { roomInTenths: 5n, unknownGas: 2_000_000n };

/** Throws `Unavailable` when the storage cannot be read. */
export async function prepareReplay(
  deps: ReplayDeps,
  caller: Caller,
  kind: 'deposit' | 'withdrawal',
  id: string,
  body: unknown,
): Promise<Prepared> {
  const input = checkedBody(replayInput.schema(), body ?? {});
  if (!input.ok) return input;
  const message = await (kind === 'deposit' ? messageOfDeposit : messageOfWithdrawal)(deps, caller.userId, id);
  if (message === undefined) return kind === 'deposit' ? noSuchDeposit : noSuchWithdrawal;
  const { bridge, side, messenger, messageHash } = message;
  const wallet = senderOn(side, message.wallets, input.value.wallet?.toLowerCase(), message.preferred);
  if (wallet === undefined) return refused('not-found', notLinked);
  if (typeof wallet === 'string') return refusedForOne(wallet);
  if (messageHash === undefined) return refused('conflict', `The ${kind} carries no message that can be relayed.`);

  const { network, chainId } = side;
  const permitted = await permittedOn(deps.firewall, caller, [network]);
  if (typeof permitted !== 'function') return permitted;
  const { mayBeCalled, mayBeSent, leftOut } = permitted(network);
  if (!mayBeCalled(messenger, relaySelector)) return refused('denied');
  const data = await failedCall(deps, message, messageHash).catch(awayOf);
  if (typeof data !== 'string') return data;
  const view = await viewChain(network, caller.userId, leftOut);
  if (view === undefined) return networkAway(network);
  const description = `Relay the message of a ${kind} again on ${shownText(bridge.name, 100)}`;
  const transaction = { to: messenger, data, description, extraGas: minGasOf(data) + messengerGas };
  return preparePlan({ view, network, chainId, from: wallet.address, mayBeSent, gas }, { transactions: [transaction] });
}

type Refusal = Extract<Prepared, { readonly ok: false }>;

/** The messenger's call, if the message has failed and was not relayed since. Throws `ChainAway`. */
async function failedCall(
  { timeSlices }: ReplayDeps,
  { side, messenger, call }: Message,
  messageHash: string,
): Promise<string | Refusal> {
  const { messageCalls, numberOf } = await import('../withdrawals/l1-calls.ts');
  const calls = messageCalls(messenger, `0x${messageHash.slice(2)}`);
  const chain = createChainReader(side.network, timeSlices);
  const answers = await chain.ask(calls.map((each) => ({ method: 'eth_call', params: [each, 'latest'] })));
  const [isFailed, isRelayed] = answers.map(numberOf);
  if (isRelayed === 1) return refused('conflict', 'The message has been relayed.');
  if (isFailed !== 1) return refused('conflict', 'The message has not failed: only one that has can be relayed again.');
  const data = await call();
  // The hash by which the messenger identifies the message.
  if (
    data === undefined ||
    Buffer.from(keccak256(Buffer.from(data.slice(2), 'hex'))).toString('hex') !== messageHash.slice(2)
  )
    return refused('bad-gateway', `No node of the network ${side.dlt}/${side.networkId} returned the message.`);
  return data;
}

async function messageOfDeposit(deps: ReplayDeps, userId: string, id: string): Promise<Message | undefined> {
  const found = await visibleDeposit({ ...deps, store: deps.deposits }, userId, id);
  if (found === undefined) return undefined;
  const { record, bridge, wallets } = found;
  return {
    ...{ bridge, wallets, side: bridge.l2, messenger: l2Contracts.messenger },
    ...{ messageHash: record.messageHash, preferred: [record.to, record.from] },
    async call() {
      const chain = createChainReader(bridge.l2.network, deps.timeSlices);
      const [transaction] = await chain.ask([{ method: 'eth_getTransactionByHash', params: [record.l2Hash] }]);
      const data = isJsonObject(transaction) ? transaction['input'] : undefined;
      return typeof data === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(data) ? data : undefined;
    },
  };
}

async function messageOfWithdrawal(deps: ReplayDeps, userId: string, id: string): Promise<Message | undefined> {
  const found = await visibleWithdrawal({ ...deps, store: deps.withdrawals }, userId, id);
  if (found === undefined) return undefined;
  const { record, bridge, wallets } = found;
  return {
    ...{ bridge, wallets, side: bridge.l1, messenger: bridge.contracts.l1CrossDomainMessenger },
    ...{ messageHash: record.messageHash, preferred: [record.to, record.from] },
    call: async () => (await deps.withdrawals.tuple(id))?.data,
  };
}

/** `minGasLimit` of `relayMessage`, with the gas that the call itself cannot pass on (EIP-150). */
function minGasOf(data: string): bigint {
  const word = data.slice(2 + 8 + 4 * 64, 2 + 8 + 5 * 64);
  return /^[0-9a-f]{64}$/i.test(word) ? (BigInt(`0x${word}`) * 64n) / 63n : 0n;
}

function awayOf(error: unknown): Refusal {
  if (!(error instanceof ChainAway)) throw error;
  return refused('bad-gateway', `The chain could not be read: ${error.message}.`);
}

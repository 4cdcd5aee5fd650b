/**
 * Makes prepared transactions from a plan: adds gas, and checks them against the chain and the policies. The gateway
 * signs and sends nothing.
 */

import { ok, type Refused, type Result, refused } from '@flowgate/base/result';
import type { BodyOf } from '@flowgate/body-schema/body-schema';
import { checksumAddress } from '@flowgate/chain/evm-address';
import type { Network } from '../upstream/networks/network.ts';
import type { PermittedOn } from './permitted-on.ts';
import type { preparedTransactions } from './prepared-transactions.ts';
import { shownText } from './shown-text.ts';
import type { Plan, Planned } from './spending-plan.ts';
import { findGas, type GasTerms, type TransactionCall } from './transaction-gas.ts';
import type { ChainView } from './view-chain.ts';

export type PlannedFor = {
  readonly view: ChainView;
  readonly network: Pick<Network, 'dlt' | 'networkId'>;
  readonly chainId: number;
  /** The wallet that signs, in lower case. */
  readonly from: string;
  readonly mayBeSent: PermittedOn['mayBeSent'];
  /** Undefined: the default gas terms. */
  readonly gas?: GasTerms;
};

/**
 * `denied` (403) when policies would refuse to send a transaction. `bad-gateway` (502) when a transaction would fail on
 * the chain, with its reason, or when no node answers.
 */
export async function preparePlan(
  { view, network, chainId, from, mayBeSent, gas: terms }: PlannedFor,
  plan: Plan,
): Promise<Result<BodyOf<typeof preparedTransactions>, 'bad-gateway' | 'denied'>> {
  const callOf = ({ to, data, value = 0n }: Planned): TransactionCall => ({
    ...{ from, to, data },
    ...(value === 0n ? {} : { value: `0x${value.toString(16)}` }),
  });
  let { transactions } = plan;
  let gas = await findGas(view, transactions.map(callOf), terms);
  if (gas.kind === 'reverted' && gas.at === 0 && plan.withReset !== undefined) {
    transactions = plan.withReset;
    gas = await findGas(view, transactions.map(callOf), terms);
  }
  if (!transactions.every(mayBeSent)) return refused('denied');
  if (gas.kind === 'unavailable') return networkAway(network);
  if (gas.kind === 'reverted') {
    const { description = '' } = transactions[gas.at] ?? {};
    const reason = shownText(gas.reason ?? '', 200);
    return refused(
      'bad-gateway',
      `This would fail on the chain: ${description}.${reason === '' ? '' : ` "${reason}"`}`,
    );
  }
  const { limits } = gas;
  return ok({
    transactions: transactions.map(({ to, data, value = 0n, extraGas = 0n, description }, at) => ({
      chainId,
      from: checksumAddress(from),
      to: checksumAddress(to),
      data,
      value: String(value),
      gas: String((limits[at] ?? 0n) + extraGas),
      description,
    })),
  });
}

export function networkAway({ dlt, networkId }: Pick<Network, 'dlt' | 'networkId'>): Refused<'bad-gateway'> {
  return refused('bad-gateway', `No node of the network ${dlt}/${networkId} gave a usable answer.`);
}

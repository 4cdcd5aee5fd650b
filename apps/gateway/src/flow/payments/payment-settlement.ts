/** Settles a payment and stores its receipt. After a lost response it finds out the outcome instead of charging again. */

import type { Clock } from '@flowgate/base/clock';
import { Unavailable } from '@flowgate/base/unavailable';
import { checksumAddress } from '@flowgate/chain/evm-address';
import type { Log } from '@flowgate/telemetry/log';
import type { PaymentReceipt } from '../../api/problem-wire.ts';
import type { RouteRefusal } from '../../api/route.ts';
import type { LedgerAccess } from './ledger-access.ts';
import { outcomeUnknown, paid, settlementFailed } from './payment-answers.ts';
import type { Facilitator, Settlement } from './payment-facilitator.ts';
import type { Paid } from './payment-gate.ts';
import type { MatchedPayment } from './payment-match.ts';
import { caip2Of } from './payment-network.ts';
import { type ChainFinding, createAskChain } from './payment-proof.ts';
import type { PaymentRecord, PaymentStore } from './payment-store.ts';

export type SettlementDeps = {
  readonly payments: PaymentStore;
  readonly ledger: LedgerAccess;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
};

/** Money was taken, and the receipt is its only record, so storing it is retried while the database is unavailable for a short time. */
const receiptAttempts = 3;

export function createPaymentSettlement({ payments, ledger, clock, log }: SettlementDeps) {
  const askChain = createAskChain(ledger);
  return { settle, clearUp };

  /** `record` is `settling`, and this attempt is its holder. `isFirst`: no earlier attempt can have charged the payer. */
  async function settle(
    facilitator: Facilitator,
    matched: MatchedPayment,
    record: PaymentRecord,
    isFirst: boolean,
  ): Promise<Paid | RouteRefusal> {
    const settlement = await facilitator.settle(matched);
    if (settlement.kind === 'settled') return await keep(record, settlement);
    const finding = await askChain(record);
    if (finding.kind === 'executed') return await keep(record, finding);
    const reason = settlement.kind === 'refused' ? settlement.reason : undefined;
    if (isNothingTaken(settlement, finding, isFirst)) {
      await payments.release(record.paymentId, record.holder);
      return settlementFailed(reason ?? 'authorization_expired');
    }
    log.warn('payment.unclear', { sessionId: record.sessionId, step: record.stepId, reason, chain: finding.kind });
    return outcomeUnknown(reason);
  }

  /** Finds out the outcome of a payment that is `settling`. `undefined`: it failed permanently, and its record is removed. */
  async function clearUp(record: PaymentRecord): Promise<Paid | RouteRefusal | undefined> {
    const finding = await askChain(record);
    if (finding.kind === 'executed') return await keep(record, finding);
    if (finding.kind !== 'impossible') return outcomeUnknown();
    await payments.release(record.paymentId, record.holder);
    return undefined;
  }

  async function keep(record: PaymentRecord, taken: Taken): Promise<Paid> {
    const { sessionId, stepId, requirement } = record;
    const { transaction, payer = record.terms?.payer } = taken;
    const network = caip2Of(requirement.network);
    const receipt: PaymentReceipt = {
      ...{ success: true, transaction, network },
      ...(payer === undefined ? {} : { payer: addressOn(network, payer) }),
      amount: requirement.amount,
      asset: addressOn(network, requirement.asset),
      payTo: addressOn(network, requirement.payTo),
    };
    log.info('payment.settled', { sessionId, step: stepId, transaction, network });
    if (!(await stored(record.paymentId, receipt))) throw new Error(`a settled payment of ${sessionId} has no record`);
    return paid(receipt, record);
  }

  async function stored(paymentId: string, receipt: PaymentReceipt): Promise<boolean> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await payments.settled(paymentId, receipt, clock.now());
      } catch (error) {
        if (!(error instanceof Unavailable) || attempt === receiptAttempts) throw error;
      }
    }
  }
}

type Taken = { readonly transaction: string; readonly payer?: string };

/** Addresses of EVM chains with their EIP-55 checksum (contract/conventions); others unchanged. */
function addressOn(network: string, address: string): string {
  return network.startsWith('eip155:') && /^0x[0-9a-f]{40}$/i.test(address) ? checksumAddress(address) : address;
}

/** Whether the payment can never be charged: by the chain, or by the facilitator if no earlier attempt is open and the chain does not contradict. */
function isNothingTaken(settlement: Settlement, finding: ChainFinding, isFirst: boolean): boolean {
  if (finding.kind === 'impossible') return true;
  return isFirst && settlement.kind === 'refused' && settlement.certain && finding.kind !== 'used';
}

/** Withdrawals in requests and responses (contract/withdrawals). */

import { typeIdForm } from '@flowgate/base/ids';
import { isoTime } from '@flowgate/base/iso-time';
import { identifier, optional, time } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema, pageSchema } from '@flowgate/body-schema/body-schema';
import { checksumAddress } from '@flowgate/chain/evm-address';
import { z } from 'zod';
import { amount } from '../../api/amount-member.ts';
import { evmAddress, evmAddressInput, exampleAddress } from '../../api/evm-address-member.ts';
import type { Bridge } from '../bridges/bridge.ts';
import {
  placeView,
  timesView,
  transactionHash,
  transferKinds,
  transferPlace,
  transferTimes,
} from '../lists/transfer-wire.ts';
import type { KnownTokens } from '../tokens/token-store.ts';
import { bridgedToken, bridgedTokenView, type TokenEnds } from '../tokens/token-wire.ts';
import {
  blockersOf,
  type WithdrawalRecord,
  withdrawalBlockers,
  withdrawalFailures,
  withdrawalStatuses,
} from './withdrawal.ts';

const exampleWithdrawalId = 'wdr_3B9V6H2QJ8Z4M0T7XK5N1CWRYD';

const withdrawalIdMember = () =>
  z
    .string()
    .regex(typeIdForm('wdr'))
    .meta({ description: 'It does not change when its block is replaced.', examples: [exampleWithdrawalId] });

/** The path parameter that names a withdrawal. */
export const withdrawalPath = {
  withdrawalId: { description: 'The withdrawal.', schema: withdrawalIdMember, example: exampleWithdrawalId },
};

export const withdrawal = bodySchema(
  'Withdrawal',
  'What a transaction on L2 sends to L1 over a bridge, its progress, and what it waits for.',
  () =>
    z.object({
      withdrawalId: withdrawalIdMember(),
      bridgeId: identifier(),
      kind: z.enum(transferKinds),
      withdrawalHash: transactionHash('The hash by which the portal on L1 identifies it.'),
      messageHash: transactionHash('The hash of the message that the messenger on L1 relays.').exactOptional(),
      nonce: z
        .string()
        .meta({ description: 'The nonce of the message passer on L2.', pattern: '^(?:0|[1-9]\\d{0,77})$' }),
      status: z
        .enum(withdrawalStatuses)
        .describe(
          '`initiated`: read on L2, not compared with L1 yet. `awaiting_state_root`: L1 has no trustworthy root that contains it. `ready_to_prove`. `in_dispute_window`: proven. `challenged`: proven against a root that is disputed. `ready_to_finalise`. `finalised`: executed on L1. `failed`: see `failureReason`.',
        ),
      failureReason: z
        .enum(withdrawalFailures)
        .describe(
          "`l1_reverted`: the portal's call failed. `relay_failed`: it is paid out to the messenger on L1, and the call of its message failed; any account may relay the message again. `reorganised`: L2 lost its transaction.",
        )
        .exactOptional(),
      blockers: z
        .array(z.enum(withdrawalBlockers))
        .describe('Everything that blocks its end: empty exactly when it is finalized or failed.'),
      disputeWindowEndsAt: time(
        "When proven: the first moment, by L1's clock, at which it can be finalized. Until the root is resolved: the earliest such moment.",
      ).exactOptional(),
      source: transferPlace('L2.'),
      destination: transferPlace('L1.'),
      token: bridgedToken(),
      amount: amount('The amount that arrives on L1.'),
      from: evmAddress('The sender on L2.'),
      to: evmAddress('The receiver on L1.'),
      l2TransactionHash: transactionHash('The transaction on L2.'),
      proveTransactionHash: transactionHash('The proof on L1 that counts.').exactOptional(),
      proofSubmitter: evmAddress(
        'The submitter of the proof that counts. Each wallet can prove the withdrawal itself, also after others have.',
      ).exactOptional(),
      finalizeTransactionHash: transactionHash('The transaction that finalized it on L1.').exactOptional(),
      finaliseTransactionHash: transactionHash(
        'Deprecated: the same value as `finalizeTransactionHash`, which replaces it.',
      )
        .meta({ deprecated: true })
        .exactOptional(),
      ...transferTimes('L2'),
    }),
  {
    withdrawalId: exampleWithdrawalId,
    bridgeId: 'main',
    kind: 'native',
    withdrawalHash: `0x${'6a'.repeat(32)}`,
    nonce: '1766847064778384329583297500742918515827483896875618958121606201292619776',
    status: 'in_dispute_window',
    blockers: ['dispute_window_open'],
    disputeWindowEndsAt: '2026-11-29T10:00:01.000Z',
    source: { dlt: 'ethereum', networkId: 'l2' },
    destination: { dlt: 'ethereum', networkId: 'l1' },
    token: { native: true, symbol: 'ETH', decimals: 18 },
    amount: '1500000000000000000',
    from: exampleAddress,
    to: exampleAddress,
    l2TransactionHash: `0x${'4e'.repeat(32)}`,
    proveTransactionHash: `0x${'5f'.repeat(32)}`,
    proofSubmitter: exampleAddress,
    createdAt: '2026-11-22T09:00:00.000Z',
    updatedAt: '2026-11-22T10:00:04.000Z',
    statusChangedAt: '2026-11-22T10:00:04.000Z',
  },
);

export const withdrawalPage = pageSchema('WithdrawalPage', 'Withdrawals, newest first.', withdrawal);

export const withdrawalStepInput = bodySchema(
  'WithdrawalStepInput',
  'The sender of the transaction on L1.',
  () =>
    z.object({
      wallet: optional(evmAddressInput('A wallet that the caller has linked.')).describe(
        'Default: a linked wallet that sent or receives the withdrawal and can send on L1.',
      ),
    }),
  { wallet: exampleAddress },
);

/** Data that the record does not contain. */
export type WithdrawalView = {
  readonly bridge: Bridge;
  readonly tokens: KnownTokens;
  readonly isPaused: boolean;
  readonly staleSinceMs: number | undefined;
};

/** The token's addresses; undefined for ether. */
export function withdrawnToken({ tokenL1: l1, tokenL2: l2 }: WithdrawalRecord): TokenEnds | undefined {
  return l1 === undefined || l2 === undefined ? undefined : { l1, l2 };
}

export function withdrawalView(record: WithdrawalRecord, view: WithdrawalView): BodyOf<typeof withdrawal> {
  const { bridge, tokens, isPaused, staleSinceMs } = view;
  const { status, windowEndsAtMs, proveTransaction, proofSubmitter, finalizeTransaction } = record;
  return {
    withdrawalId: record.withdrawalId,
    bridgeId: record.bridgeId,
    kind: record.kind,
    withdrawalHash: record.withdrawalHash,
    ...(record.messageHash !== undefined && { messageHash: record.messageHash }),
    nonce: record.nonce,
    status,
    ...(record.failureReason !== undefined && { failureReason: record.failureReason }),
    blockers: blockersOf(record, isPaused),
    ...(windowEndsAtMs !== undefined && { disputeWindowEndsAt: isoTime(windowEndsAtMs) }),
    source: placeView(bridge.l2),
    destination: placeView(bridge.l1),
    token: bridgedTokenView(withdrawnToken(record), { ...placeView(bridge.l2), side: 'l2' }, tokens),
    amount: record.amount,
    from: checksumAddress(record.from),
    to: checksumAddress(record.to),
    l2TransactionHash: record.transactionHash,
    ...(proveTransaction !== undefined && { proveTransactionHash: proveTransaction }),
    ...(proofSubmitter !== undefined && { proofSubmitter: checksumAddress(proofSubmitter) }),
    ...(finalizeTransaction !== undefined && {
      finalizeTransactionHash: finalizeTransaction,
      finaliseTransactionHash: finalizeTransaction,
    }),
    ...timesView(record, staleSinceMs),
  };
}

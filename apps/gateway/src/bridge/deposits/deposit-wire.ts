/** Deposits as callers see them (contract/deposits). */

import { typeIdForm } from '@flowgate/base/ids';
import { identifier } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema, pageSchema } from '@flowgate/body-schema/body-schema';
import { checksumAddress } from '@flowgate/chain/evm-address';
import { z } from 'zod';
import { amount } from '../../api/amount-member.ts';
import { evmAddress, exampleAddress } from '../../api/evm-address-member.ts';
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
import { type DepositRecord, depositFailures, depositStatuses, isStalled } from './deposit.ts';
import { confirmationsOf } from './deposit-progress.ts';

const exampleDepositId = 'dep_3B9V6H2QJ8Z4M0T7XK5N1CWRYD';

const depositIdMember = () =>
  z
    .string()
    .regex(typeIdForm('dep'))
    .meta({ description: 'It does not change when its block is replaced.', examples: [exampleDepositId] });

/** The path parameter that names a deposit. */
export const depositPath = {
  depositId: { description: 'The deposit.', schema: depositIdMember, example: exampleDepositId },
};

export const deposit = bodySchema(
  'Deposit',
  'What a transaction on L1 sends to L2 over a bridge, and its progress.',
  () =>
    z.object({
      depositId: depositIdMember(),
      bridgeId: identifier(),
      kind: z.enum(transferKinds),
      status: z
        .enum(depositStatuses)
        .describe(
          '`pending`: fewer confirmations on L1 than required. `confirmed`: enough confirmations, and L2 has not reached the block. `relaying`: due on L2. `completed`: arrived. `failed`: see `failureReason`.',
        ),
      stalled: z
        .boolean()
        .describe('True when it is not over and has made no progress for as long as the operator allows.'),
      stalledReason: z
        .string()
        .describe('The result of a check of the transaction on L1, which is made at most once a minute.')
        .exactOptional(),
      failureReason: z
        .enum(depositFailures)
        .describe(
          '`reorganised`: L1 has lost the transaction, and it can no longer be mined. `l2_reverted`: its execution on L2 failed. `relay_failed`: it arrived, and the call of its message failed; any account may relay the message again.',
        )
        .exactOptional(),
      source: transferPlace('L1.'),
      destination: transferPlace('L2.'),
      token: bridgedToken(),
      amount: amount('The amount that arrives on L2.'),
      from: evmAddress('The sender. For a contract: its own address on L1, not its alias.'),
      to: evmAddress('The receiver on L2.'),
      l1TransactionHash: transactionHash('The transaction on L1.'),
      l1LogIndex: z.int().min(0).describe('The index of its log in the block.'),
      l1BlockNumber: z.int().min(0).describe('The block on L1 that contains it, or the last one that did.'),
      messageHash: transactionHash('The hash of the message that the messenger on L2 relays.').exactOptional(),
      l2TransactionHash: transactionHash(
        'The transaction on L2, known from the start. It changes when L1 mines the deposit again in another block.',
      ),
      confirmations: z
        .int()
        .min(0)
        .describe('The number of L1 blocks from its own on that were read; 0 while no block contains it.'),
      requiredConfirmations: z.int().min(0),
      ...transferTimes('L1'),
    }),
  {
    depositId: exampleDepositId,
    bridgeId: 'main',
    kind: 'native',
    status: 'confirmed',
    stalled: false,
    source: { dlt: 'ethereum', networkId: 'l1' },
    destination: { dlt: 'ethereum', networkId: 'l2' },
    token: { native: true, symbol: 'ETH', decimals: 18 },
    amount: '1500000000000000000',
    from: exampleAddress,
    to: exampleAddress,
    l1TransactionHash: `0x${'4e'.repeat(32)}`,
    l1LogIndex: 3,
    l1BlockNumber: 21000000,
    l2TransactionHash: `0x${'5f'.repeat(32)}`,
    confirmations: 13,
    requiredConfirmations: 12,
    createdAt: '2026-11-22T10:00:00.000Z',
    updatedAt: '2026-11-22T10:02:40.000Z',
    statusChangedAt: '2026-11-22T10:02:40.000Z',
  },
);

export const depositPage = pageSchema('DepositPage', 'Deposits, newest first.', deposit);

/** Data that the record does not contain. */
export type DepositView = {
  readonly bridge: Bridge;
  readonly tokens: KnownTokens;
  /** The newest block of L1 that was read. */
  readonly l1Head: number | undefined;
  readonly staleSinceMs: number | undefined;
  readonly nowMs: number;
};

/** The token's addresses; undefined for ether. */
export function tokenEnds({ l1Token: l1, l2Token: l2 }: DepositRecord): TokenEnds | undefined {
  return l1 === undefined || l2 === undefined ? undefined : { l1, l2 };
}

export function depositView(record: DepositRecord, view: DepositView): BodyOf<typeof deposit> {
  const { bridge, tokens, l1Head, staleSinceMs, nowMs } = view;
  const stalled = isStalled(record, bridge, nowMs);
  const { failureReason, stalledReason } = record;
  return {
    depositId: record.depositId,
    bridgeId: record.bridgeId,
    kind: record.kind,
    status: record.status,
    stalled,
    ...(stalled && stalledReason !== undefined && { stalledReason }),
    ...(failureReason !== undefined && { failureReason }),
    source: placeView(bridge.l1),
    destination: placeView(bridge.l2),
    token: bridgedTokenView(tokenEnds(record), { ...placeView(bridge.l1), side: 'l1' }, tokens),
    amount: record.amount,
    from: checksumAddress(record.from),
    to: checksumAddress(record.to),
    l1TransactionHash: record.transactionHash,
    l1LogIndex: record.l1LogIndex,
    l1BlockNumber: record.l1Block,
    ...(record.messageHash !== undefined && { messageHash: record.messageHash }),
    l2TransactionHash: record.l2Hash,
    confirmations: confirmationsOf(record, l1Head),
    requiredConfirmations: bridge.confirmations,
    ...timesView(record, staleSinceMs),
  };
}

/** Deployed contracts as callers see them (contract/contracts#deployed). */

import { isoTime } from '@flowgate/base/iso-time';
import { identifier, time } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema, pageSchema } from '@flowgate/body-schema/body-schema';
import { checksumAddress } from '@flowgate/chain/evm-address';
import { z } from 'zod';
import { evmAddress, exampleAddress } from '../../api/evm-address-member.ts';
import { type DeploymentRecord, deploymentStatuses, failureReasons } from './deployment.ts';

export const deployedContract = bodySchema(
  'DeployedContract',
  'A contract that the caller deploys or has deployed through this gateway.',
  () =>
    z.object({
      address: evmAddress('Where the contract is, or will be: it follows from who deploys it, and the nonce.'),
      dlt: identifier(),
      networkId: identifier(),
      transactionHash: z.string().regex(/^0x[0-9a-f]{64}$/),
      deployer: evmAddress('Who signed the transaction.'),
      status: z
        .enum(deploymentStatuses)
        .describe(
          '`deployed` and `failed` after as many blocks as the network asks for; back to `pending` when a reorganisation takes the transaction out.',
        ),
      failureReason: z
        .enum(failureReasons)
        .describe(
          'Of a failed one. `reverted`: the execution failed. `replaced`: another transaction used the nonce. `dropped`: no node has known of it for a day.',
        )
        .exactOptional(),
      blockNumber: z
        .int()
        .min(0)
        .describe('The block that contains the transaction; absent until it was seen in one.')
        .exactOptional(),
      createdAt: time('When it was first sent through this gateway.'),
    }),
  {
    address: exampleAddress,
    dlt: 'ethereum',
    networkId: 'dev',
    transactionHash: `0x${'4e'.repeat(32)}`,
    deployer: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    status: 'deployed',
    blockNumber: 7,
    createdAt: '2026-11-22T10:00:00.000Z',
  },
);

export const deployedContractPage = pageSchema(
  'DeployedContractPage',
  'Deployed contracts, newest first.',
  deployedContract,
);

export function deployedContractView(record: DeploymentRecord): BodyOf<typeof deployedContract> {
  return {
    address: checksumAddress(record.address),
    dlt: record.dlt,
    networkId: record.networkId,
    transactionHash: record.transactionHash,
    deployer: checksumAddress(record.deployer),
    status: record.status,
    ...(record.failureReason === undefined ? {} : { failureReason: record.failureReason }),
    ...(record.blockNumber === undefined ? {} : { blockNumber: record.blockNumber }),
    createdAt: isoTime(record.createdAtMs),
  };
}

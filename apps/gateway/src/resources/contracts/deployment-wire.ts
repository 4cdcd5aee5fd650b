/** Deployed contracts in responses (contract/contracts#deployed). */

import { isoTime } from '@flowgate/base/iso-time';
import { identifier, time } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema, pageSchema } from '@flowgate/body-schema/body-schema';
import { checksumAddress } from '@flowgate/chain/evm-address';
import { z } from 'zod';
import { evmAddress, exampleAddress } from '../../api/evm-address-member.ts';
import { type DeploymentRecord, deploymentStatuses, failureReasons } from './deployment.ts';

export const deployedContract = bodySchema(
  'DeployedContract',
  'A contract that the caller deployed through this gateway.',
  () =>
    z.object({
      address: evmAddress('The address of the contract, which depends on deployer and nonce.'),
      dlt: identifier(),
      networkId: identifier(),
      transactionHash: z.string().regex(/^0x[0-9a-f]{64}$/),
      deployer: evmAddress('The signer of the transaction.'),
      status: z
        .enum(deploymentStatuses)
        .describe(
          "`deployed` and `failed` after the network's confirmations; `pending` again when a reorganization removes the transaction.",
        ),
      failureReason: z
        .enum(failureReasons)
        .describe(
          'Present when the status is `failed`. `reverted`: the execution failed. `replaced`: another transaction used the nonce. `dropped`: no node has known the transaction for a day.',
        )
        .exactOptional(),
      blockNumber: z
        .int()
        .min(0)
        .describe('The block that contains the transaction; absent until the transaction is seen in a block.')
        .exactOptional(),
      createdAt: time('When the transaction was first sent through this gateway.'),
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

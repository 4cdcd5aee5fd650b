/** The contracts that the user deployed through the gateway (contract/contracts#deployed). */

import { hasMembers } from './has-members.ts';
import { createPaged, type Paged } from './paged.ts';
import type { Send } from './transport.ts';
import type { DeployedContract } from './wire.ts';

export type DeployedContractFilter = {
  readonly dlt?: string;
  readonly networkId?: string;
  readonly status?: DeployedContract['status'];
};

/** Newest first. There is nothing to create: whatever is deployed through the gateway is in the list. */
export type DeployedContracts = Paged<DeployedContract, DeployedContractFilter>;

export function createDeployedContracts(send: Send): DeployedContracts {
  return createPaged<DeployedContract, DeployedContractFilter>(
    send,
    '/users/me/deployed-contracts',
    isDeployedContract,
  );
}

function isDeployedContract(value: unknown): value is DeployedContract {
  return hasMembers(
    value,
    {
      address: 'string',
      dlt: 'string',
      networkId: 'string',
      transactionHash: 'string',
      deployer: 'string',
      status: 'string',
      createdAt: 'string',
    },
    { failureReason: 'string', blockNumber: 'number' },
  );
}

/** The contracts that the user deployed through the gateway (contract/contracts#deployed). */

import * as shapes from './generated/shapes.ts';
import { createPaged, type Paged } from './paged.ts';
import type { Send } from './transport.ts';
import type { DeployedContract } from './wire.ts';

export type DeployedContractFilter = {
  readonly dlt?: string;
  readonly networkId?: string;
  readonly status?: DeployedContract['status'];
};

/** Newest first. The gateway adds each contract that is deployed through it, so there is nothing to create. */
export type DeployedContracts = Paged<DeployedContract, DeployedContractFilter>;

export function createDeployedContracts(send: Send): DeployedContracts {
  return createPaged(send, 'GET /users/me/deployed-contracts', shapes.deployedContract, []);
}

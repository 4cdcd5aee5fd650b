/**
 * The resources that the gateway serves: ledgers, networks with their status, providers, contracts, bridges (contract/networks, contract/contracts,
 * contract/bridge#bridges).
 */

import { ask } from './ask.ts';
import * as shapes from './generated/shapes.ts';
import { createPaged, type Paged } from './paged.ts';
import type { CallOptions, Send } from './transport.ts';
import type { BridgeRecord, ContractRecord, LedgerRecord, NetworkRecord, ProviderRecord } from './wire.ts';

export type NetworkName = { readonly dlt: string; readonly networkId: string };

export type Networks = Paged<NetworkRecord> & {
  get(network: NetworkName, options?: CallOptions): Promise<NetworkRecord>;
  /** The networks of one ledger. 404 when the gateway has none of it. */
  of(dlt: string): Paged<NetworkRecord>;
};

export type Contracts = Paged<ContractRecord> & {
  get(contractId: string, options?: CallOptions): Promise<ContractRecord>;
};

/** Each list has the order of the gateway's configuration. */
export type Catalog = {
  readonly ledgers: Paged<LedgerRecord>;
  readonly networks: Networks;
  /** The approved node providers, and the addresses of their public nodes. */
  readonly providers: Paged<ProviderRecord>;
  /** The contracts in the operator's configuration, including staking contracts. */
  readonly contracts: Contracts;
  /** The rollups' bridges in the operator's configuration. */
  readonly bridges: Paged<BridgeRecord>;
};

/** @deprecated Use `Catalog`, which is the same type. */
export type Catalogue = Catalog;

export function createCatalog(send: Send): Catalog {
  const networks = '/dlts/{dlt}/networks';
  return {
    ledgers: createPaged(send, 'GET /dlts', shapes.ledgerRecord, []),
    networks: {
      ...createPaged(send, 'GET /networks', shapes.networkRecord, []),
      of: (dlt) => createPaged(send, `GET ${networks}`, shapes.networkRecord, [dlt]),
      get: ({ dlt, networkId }, options) =>
        ask(send, `GET ${networks}/{networkId}`, shapes.networkRecord, [dlt, networkId], { options }),
    },
    providers: createPaged(send, 'GET /providers', shapes.providerRecord, []),
    bridges: createPaged(send, 'GET /bridges', shapes.bridgeRecord, []),
    contracts: {
      ...createPaged(send, 'GET /contracts', shapes.contractRecord, []),
      get: (contractId, options) =>
        ask(send, 'GET /contracts/{contractId}', shapes.contractRecord, [contractId], { options }),
    },
  };
}

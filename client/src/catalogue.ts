/** What the gateway serves: ledgers, networks with their status, providers, contracts, bridges (contract/networks, contract/contracts, contract/bridge#bridges). */

import { askFor } from './ask-for.ts';
import { isBridgeToken, isPlace } from './bridge-records.ts';
import { hasMembers, isObject } from './has-members.ts';
import { createPaged, type Paged } from './paged.ts';
import { pathSegment } from './path-segment.ts';
import type { CallOptions, Send } from './transport.ts';
import type { BridgeRecord, ContractRecord, LedgerRecord, NetworkRecord, ProviderRecord } from './wire.ts';

export type NetworkName = { readonly dlt: string; readonly networkId: string };

export type Networks = Paged<NetworkRecord> & {
  get(network: NetworkName, options?: CallOptions): Promise<NetworkRecord>;
  /** The networks of one ledger. 404 when it has none here. */
  of(dlt: string): Paged<NetworkRecord>;
};

export type Contracts = Paged<ContractRecord> & {
  get(contractId: string, options?: CallOptions): Promise<ContractRecord>;
};

/** Each list is in the order of the gateway's configuration. */
export type Catalogue = {
  readonly ledgers: Paged<LedgerRecord>;
  readonly networks: Networks;
  /** The approved node providers, and where their public nodes are. */
  readonly providers: Paged<ProviderRecord>;
  /** The contracts that the operator names, its staking contracts among them. */
  readonly contracts: Contracts;
  /** The rollups' bridges that the operator names. */
  readonly bridges: Paged<BridgeRecord>;
};

export function createCatalogue(send: Send): Catalogue {
  const ofLedger = (dlt: string) => `/dlts/${pathSegment(dlt)}/networks`;
  return {
    ledgers: createPaged(send, '/dlts', isLedger),
    networks: {
      ...createPaged(send, '/networks', isNetwork),
      of: (dlt) => createPaged(send, ofLedger(dlt), isNetwork),
      get: async ({ dlt, networkId }, options = {}) =>
        askFor(send, isNetwork, {
          method: 'GET',
          path: `${ofLedger(dlt)}/${pathSegment(networkId)}`,
          repeatable: true,
          options,
        }),
    },
    providers: createPaged(send, '/providers', isProvider),
    bridges: createPaged(send, '/bridges', isBridge),
    contracts: {
      ...createPaged(send, '/contracts', isContract),
      get: async (contractId, options = {}) =>
        askFor(send, isContract, {
          method: 'GET',
          path: `/contracts/${pathSegment(contractId)}`,
          repeatable: true,
          options,
        }),
    },
  };
}

function isLedger(value: unknown): value is LedgerRecord {
  return hasMembers(value, { dlt: 'string', networks: 'texts' });
}

function isNetwork(value: unknown): value is NetworkRecord {
  return (
    hasMembers(
      value,
      { dlt: 'string', networkId: 'string', name: 'string', family: 'string', default: 'boolean', status: 'string' },
      { chainId: 'number', blockHeight: 'number' },
    ) &&
    isObject(value['nodes']) &&
    hasMembers(value['nodes'], { healthy: 'number', total: 'number' })
  );
}

function isProvider(value: unknown): value is ProviderRecord {
  return hasMembers(value, { providerId: 'string', name: 'string', domains: 'texts' });
}

function isBridge(value: unknown): value is BridgeRecord {
  if (!hasMembers(value, { bridgeId: 'string', name: 'string', confirmations: 'number', tokens: 'objects' }))
    return false;
  const { l1, l2, tokens } = value;
  const areSides = [l1, l2].every((side) => isPlace(side) && hasMembers(side, { chainId: 'number' }));
  return areSides && Array.isArray(tokens) && tokens.every(isBridgeToken);
}

function isContract(value: unknown): value is ContractRecord {
  return hasMembers(
    value,
    { contractId: 'string', dlt: 'string', networkId: 'string', role: 'string', address: 'string' },
    { name: 'string' },
  );
}

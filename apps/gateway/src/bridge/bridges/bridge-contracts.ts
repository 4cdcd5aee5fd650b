/** The contracts of the configured bridges, as `GET /contracts` lists them (contract/contracts#named-contracts). */

import { type L1BridgeContracts, l2Contracts } from '@flowgate/chain/blocks/bridge-log';
import { checksumAddress } from '@flowgate/chain/evm-address';

type Place = { readonly dlt: string; readonly networkId: string };

type ConfiguredBridge = {
  readonly bridgeId: string;
  readonly name?: string | undefined;
  readonly l1: Place;
  readonly l2: Place;
  readonly contracts: Readonly<Record<keyof L1BridgeContracts, string>>;
};

/** The suffix of a contract's id, its name in the OP Stack, and its address. */
type BridgeContract = readonly [suffix: string, name: string, address: string];

const onL2: readonly BridgeContract[] = [
  ['l2-standard-bridge', 'L2StandardBridge', l2Contracts.standardBridge],
  ['l2-cross-domain-messenger', 'L2CrossDomainMessenger', l2Contracts.messenger],
  ['l2-to-l1-message-passer', 'L2ToL1MessagePasser', l2Contracts.messagePasser],
  ['l2-token-factory', 'OptimismMintableERC20Factory', l2Contracts.tokenFactory],
];

/** In the order of the configuration. For each bridge: its contracts on L1, then the predeploys on L2 that a caller may use. */
export function bridgeContracts(bridges: readonly ConfiguredBridge[]) {
  return bridges.flatMap(({ bridgeId, name = bridgeId, l1, l2, contracts }) => {
    const onL1: readonly BridgeContract[] = [
      ['portal', 'OptimismPortal', contracts.portal],
      ['l1-standard-bridge', 'L1StandardBridge', contracts.l1StandardBridge],
      ['l1-cross-domain-messenger', 'L1CrossDomainMessenger', contracts.l1CrossDomainMessenger],
      ['dispute-game-factory', 'DisputeGameFactory', contracts.disputeGameFactory],
    ];
    const at = ({ dlt, networkId }: Place, some: readonly BridgeContract[]) =>
      some.map(([suffix, its, address]) => ({
        // Ids in the configuration have no colon.
        contractId: `${bridgeId}:${suffix}`,
        ...{ dlt, networkId, role: 'bridge', name: `${name}: ${its}`, address: checksumAddress(address) },
      }));
    return [...at(l1, onL1), ...at(l2, onL2)];
  });
}

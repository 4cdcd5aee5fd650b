/** Checks on the chains of a bridge that its contracts are the configured ones and belong together (contract/indexer#configuration). */

import { l2Contracts } from '@flowgate/chain/blocks/bridge-log';
import { checksumAddress } from '@flowgate/chain/evm-address';
import { shownText } from '../../prepared/shown-text.ts';
import type { Bridge, BridgeSide } from '../bridges/bridge.ts';
import type { ChainReader } from '../chain/chain-reader.ts';
import { type AskedContracts, askContracts } from './asked-contracts.ts';

/** `path`: below the bridge or the pool. `message`: the finding, for the operator; texts from contracts are made safe to display. */
export type Finding = { readonly path: readonly (string | number)[]; readonly message: string };

type BridgeChains = { readonly bridge: Bridge; readonly l1: AskedContracts; readonly l2: AskedContracts };

/** The faults on L1. Throws `ChainAway`, as the other checks do. */
export async function checkL1({
  bridge,
  l1: chain,
}: {
  readonly bridge: Bridge;
  readonly l1: ChainReader;
}): Promise<readonly Finding[]> {
  const l1 = askContracts(chain);
  const { contracts } = bridge;
  const absent = (
    await Promise.all(
      Object.entries(contracts).map(async ([key, address]) => ((await l1.hasCode(address)) ? [] : [key])),
    )
  ).flat();
  const findings: Finding[] = absent.map((key) => at(['contracts', key], noContract(bridge.l1)));
  const isThere = (key: keyof typeof contracts) => !absent.includes(key);
  if (isThere('portal')) findings.push(...(await portalFindings(l1, bridge, isThere)));
  if (isThere('disputeGameFactory') && !(await l1.answers(contracts.disputeGameFactory, 'gameCount')))
    findings.push(at(['contracts', 'disputeGameFactory'], 'is no DisputeGameFactory: it answers no gameCount()'));
  if (isThere('l1CrossDomainMessenger')) {
    const portal = await l1.address(contracts.l1CrossDomainMessenger, 'PORTAL', 'portal');
    const path = ['contracts', 'l1CrossDomainMessenger'];
    findings.push(...belongs(path, portal, contracts.portal, 'portal()', 'L1CrossDomainMessenger', 'contracts.portal'));
  }
  if (isThere('l1StandardBridge')) {
    const messenger = await l1.address(contracts.l1StandardBridge, 'MESSENGER', 'messenger');
    const [path, its] = [['contracts', 'l1StandardBridge'], contracts.l1CrossDomainMessenger];
    findings.push(
      ...belongs(path, messenger, its, 'messenger()', 'L1StandardBridge', 'contracts.l1CrossDomainMessenger'),
    );
  }
  return [...findings, ...(await startFindings(l1, ['startBlocks', 'l1'], bridge.startBlocks.l1))];
}

async function portalFindings(
  l1: AskedContracts,
  { contracts: { portal, disputeGameFactory } }: Bridge,
  isThere: (key: 'disputeGameFactory') => boolean,
): Promise<readonly Finding[]> {
  const path = ['contracts', 'portal'];
  const version = shownText((await l1.text(portal, 'version')) ?? '', 32);
  const major = /^(\d{1,6})\./.exec(version)?.[1];
  if (major === undefined) return [at(path, 'is no OptimismPortal: it answers no version()')];
  if (Number(major) < 3) return [at(path, `must be of version 3 or later; it is of version ${version}`)];
  if (!isThere('disputeGameFactory')) return [];
  const factory = await l1.address(portal, 'disputeGameFactory');
  const its = ['contracts', 'disputeGameFactory'];
  if (factory === undefined) return [at(path, 'is no OptimismPortal: it answers no disputeGameFactory()')];
  return factory === disputeGameFactory ? [] : [at(its, `is not that of the portal, which names ${shown(factory)}`)];
}

/** The faults on L2. */
export async function checkL2({
  bridge,
  l2: chain,
}: {
  readonly bridge: Bridge;
  readonly l2: ChainReader;
}): Promise<readonly Finding[]> {
  const l2 = askContracts(chain);
  const { contracts } = bridge;
  const named = [
    ['L2CrossDomainMessenger', l2Contracts.messenger],
    ['L2StandardBridge', l2Contracts.standardBridge],
    ['L2ToL1MessagePasser', l2Contracts.messagePasser],
  ] as const;
  const found = await Promise.all(named.map(async ([, address]) => l2.hasCode(address)));
  const absent = named.filter((_, nth) => found[nth] !== true);
  if (absent.length > 0) {
    const list = absent.map(([name, address]) => `${name} (${address})`).join(', ');
    return [at(['l2'], `is no OP Stack chain: there is no ${list}`)];
  }
  const other = await l2.address(l2Contracts.messenger, 'OTHER_MESSENGER', 'otherMessenger', 'l1CrossDomainMessenger');
  const otherBridge = await l2.address(l2Contracts.standardBridge, 'OTHER_BRIDGE', 'otherBridge', 'l1TokenBridge');
  const key = 'contracts.l1CrossDomainMessenger';
  return [
    ...counterpart(other, contracts.l1CrossDomainMessenger, 'messenger', key),
    ...counterpart(otherBridge, contracts.l1StandardBridge, 'standard bridge', 'contracts.l1StandardBridge'),
    ...(await startFindings(l2, ['startBlocks', 'l2'], bridge.startBlocks.l2)),
  ];
}

/** On the side where the bridge mints a token, the token names its counterpart. Needs both chains. */
export async function checkPairs({
  bridge,
  l1: onL1,
  l2: onL2,
}: {
  readonly bridge: Bridge;
  readonly l1: ChainReader;
  readonly l2: ChainReader;
}): Promise<readonly Finding[]> {
  const chains: BridgeChains = { bridge, l1: askContracts(onL1), l2: askContracts(onL2) };
  const findings: Finding[] = [];
  for (const nth of bridge.tokens.keys()) findings.push(...(await pairFindings(chains, nth)));
  return findings;
}

async function pairFindings({ bridge, l1, l2 }: BridgeChains, nth: number): Promise<readonly Finding[]> {
  const pair = bridge.tokens[nth];
  if (pair === undefined) return [];
  const path = ['tokens', nth];
  const [isOnL1, isOnL2] = await Promise.all([l1.hasCode(pair.l1), l2.hasCode(pair.l2)]);
  if (!isOnL1 || !isOnL2)
    return [
      ...(isOnL1 ? [] : [at([...path, 'l1'], noContract(bridge.l1))]),
      ...(isOnL2 ? [] : [at([...path, 'l2'], noContract(bridge.l2))]),
    ];
  const [ofL2, ofL1] = await Promise.all([
    l2.address(pair.l2, 'remoteToken', 'l1Token'),
    l1.address(pair.l1, 'remoteToken', 'l2Token'),
  ]);
  if (ofL2 === pair.l1 || ofL1 === pair.l2) return [];
  const names = ofL2 === undefined ? 'names no token on L1' : `names ${shown(ofL2)}`;
  return [at(path, `are no pair: the token on L2 ${names}, and that on L1 does not name it either`)];
}

/** `expected` is the configured value of `key`. */
function belongs(
  path: Finding['path'],
  found: string | undefined,
  expected: string,
  asked: string,
  name: string,
  key: string,
): readonly Finding[] {
  if (found === undefined) return [at(path, `is no ${name}: it answers no ${asked}`)];
  return found === expected ? [] : [at(path, `belongs to ${shown(found)}, which is not ${key}`)];
}

function counterpart(found: string | undefined, expected: string, name: string, key: string): readonly Finding[] {
  if (found === expected) return [];
  const names = found === undefined ? 'names none on L1' : `belongs to ${shown(found)} on L1`;
  return [at(['l2'], `is not the rollup of this bridge: its ${name} ${names}, which is not ${key}`)];
}

/** A start block that does not exist yet is a mistake: nothing is read until the chain reaches it, and earlier logs never are. */
export async function startFindings(chain: AskedContracts, path: Finding['path'], startBlock: number) {
  if (startBlock === 0) return [];
  const head = await chain.head();
  return startBlock <= head ? [] : [at(path, `must not be above the newest block, which is ${head}`)];
}

export function noContract({ dlt, networkId }: BridgeSide): string {
  return `there is no contract at this address on ${dlt}/${networkId}`;
}

export const at = (path: Finding['path'], message: string): Finding => ({ path, message });

const shown = (address: string) => checksumAddress(address);

/** The transactions of a deposit and a withdrawal, without nonce and fees. */
import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem';
import {
  type BridgePlace,
  bridgeAbi,
  l2Bridge,
  l2Messenger,
  portalAbi,
  type Side,
  type Withdrawal,
} from './bridge-place.ts';
import type { RootProof } from './bridge-roots.ts';
import type { Purpose, Transfer } from './bridge-transfer.ts';
import { isRefusalOfChain } from './prepared-transaction.ts';

export type BridgeCall = {
  readonly purpose: Purpose;
  readonly to: Address;
  readonly data: Hex;
  readonly value?: bigint;
  readonly gas?: bigint;
};

/** Gas for the other side's bridge call; the messenger adds its own. A message that needs more can be relayed again. */
const minGas = 200_000;
/** From this address, a call to the messenger fails if its message would fail: for estimates (`Constants.ESTIMATION_ADDRESS`). */
const estimationAddress: Address = '0x0000000000000000000000000000000000000001';

/** Allows the bridge to take exactly the deposited amount. */
export function approvalCall({ contracts }: BridgePlace, { units }: Transfer): BridgeCall {
  const args = [contracts.l1StandardBridge, BigInt(units)] as const;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args });
  return { purpose: 'approve', to: contracts.l1Token, data };
}

/** Ether also goes through the standard bridges: a refused transfer can be relayed again, whereas one of the portal would be lost. */
export function startCall(
  { contracts }: BridgePlace,
  { direction, asset, units, to: recipient }: Transfer,
): BridgeCall {
  const isDeposit = direction === 'deposit';
  const to = isDeposit ? contracts.l1StandardBridge : l2Bridge;
  if (asset === 'ether') {
    const data = encodeFunctionData({ abi: bridgeAbi, functionName: 'bridgeETHTo', args: [recipient, minGas, '0x'] });
    return { purpose: 'start', to, data, value: BigInt(units) };
  }
  const { l1Token, l2Token } = contracts;
  const [local, remote] = isDeposit ? [l1Token, l2Token] : [l2Token, l1Token];
  const args = [local, remote, recipient, BigInt(units), minGas, '0x'] as const;
  return { purpose: 'start', to, data: encodeFunctionData({ abi: bridgeAbi, functionName: 'bridgeERC20To', args }) };
}

export function proveCall({ contracts }: BridgePlace, withdrawal: Withdrawal, proof: RootProof): BridgeCall {
  const { gameIndex, outputRootProof, withdrawalProof } = proof;
  const args = [withdrawal, gameIndex, outputRootProof, withdrawalProof] as const;
  const data = encodeFunctionData({ abi: portalAbi, functionName: 'proveWithdrawalTransaction', args });
  return { purpose: 'prove', to: contracts.portal, data };
}

export function finalizeCall({ contracts }: BridgePlace, withdrawal: Withdrawal): BridgeCall {
  const data = encodeFunctionData({
    abi: portalAbi,
    functionName: 'finalizeWithdrawalTransaction',
    args: [withdrawal],
  });
  return { purpose: 'finalize', to: contracts.portal, data };
}

/** Relays a failed message again, with the data of its first relay; undefined while it would fail again. */
export async function replayCall(place: BridgePlace, side: Side, data: Hex): Promise<BridgeCall | undefined> {
  const to = side === 'l1' ? place.contracts.l1CrossDomainMessenger : l2Messenger;
  try {
    const gas = await place[side].estimateGas({ account: estimationAddress, to, data });
    return { purpose: 'replay', to, data, gas };
  } catch (error) {
    if (isRefusalOfChain(error)) return undefined;
    throw error;
  }
}

/** Encodes calls of standard bridges and of the tokens that they mint. It loads viem, so it is imported only when needed. */

import { encodeFunctionData, parseAbi, serializeTransaction } from 'viem/utils';

const abi = parseAbi([
  'function bridgeETHTo(address to, uint32 minGasLimit, bytes extraData) payable',
  'function bridgeERC20To(address localToken, address remoteToken, address to, uint256 amount, uint32 minGasLimit, bytes extraData)',
  'function supportsInterface(bytes4 interfaceId) view returns (bool)',
  'function remoteToken() view returns (address)',
  'function l1Token() view returns (address)',
  'function getL1Fee(bytes data) view returns (uint256)',
  'function getOperatorFee(uint256 gasUsed) view returns (uint256)',
]);

/** Gas for the bridge's call on the other side: minting a token to a receiver that is a contract takes less. On L1 all of it is paid for, used or not. */
const minGasLimit = 200_000;

type Hex = `0x${string}`;
const hexOf = (text: string): Hex => `0x${text.slice(2)}`;

export const bridgeEther = (to: string): Hex =>
  encodeFunctionData({ abi, functionName: 'bridgeETHTo', args: [hexOf(to), minGasLimit, '0x'] });

/** `local`: the token on the sending side. */
export const bridgeToken = (local: string, remote: string, to: string, amount: bigint): Hex =>
  encodeFunctionData({
    abi,
    functionName: 'bridgeERC20To',
    args: [hexOf(local), hexOf(remote), hexOf(to), amount, minGasLimit, '0x'],
  });

/** The interfaces by which a standard bridge recognizes a token that it mints and burns: `IOptimismMintableERC20`, and its predecessor. */
const mintable = { interfaceId: '0xec4fc8e3', counterpart: encodeFunctionData({ abi, functionName: 'remoteToken' }) };
const legacy = { interfaceId: '0x1d1d8b63', counterpart: encodeFunctionData({ abi, functionName: 'l1Token' }) };

export const mintableForms = [mintable, legacy].map(({ interfaceId, counterpart }) => ({
  isOfForm: encodeFunctionData({ abi, functionName: 'supportsInterface', args: [hexOf(interfaceId)] }),
  /** Returns the token on the other side. */
  counterpart,
}));

export type UnsignedTransaction = {
  readonly chainId: number;
  readonly to: string;
  readonly data: string;
  readonly value: bigint;
  readonly gas: bigint;
};

/** Calls of the rollup's `GasPriceOracle`: the fee for the transaction's data on L1, and since Isthmus the operator fee (specs.optimism.io, L2 fees). */
export function rollupFeeCalls({ chainId, to, data, value, gas }: UnsignedTransaction): readonly Hex[] {
  // The largest fees that wallets sign: the L1 data fee grows with the length of the transaction.
  const long = { nonce: 0xffff_ffff, maxFeePerGas: 10n ** 15n - 1n, maxPriorityFeePerGas: 10n ** 15n - 1n };
  const call = { to: hexOf(to), data: hexOf(data), value, gas, chainId };
  const unsigned = serializeTransaction({ type: 'eip1559', ...call, ...long });
  return [
    encodeFunctionData({ abi, functionName: 'getL1Fee', args: [unsigned] }),
    encodeFunctionData({ abi, functionName: 'getOperatorFee', args: [gas] }),
  ];
}

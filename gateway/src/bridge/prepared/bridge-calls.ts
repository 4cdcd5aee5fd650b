/** Calls of standard bridges and of the tokens that they mint, encoded. Loads viem, so it is loaded only when it is needed. */

import { encodeFunctionData, parseAbi } from 'viem/utils';

const abi = parseAbi([
  'function bridgeETHTo(address to, uint32 minGasLimit, bytes extraData) payable',
  'function bridgeERC20To(address localToken, address remoteToken, address to, uint256 amount, uint32 minGasLimit, bytes extraData)',
  'function supportsInterface(bytes4 interfaceId) view returns (bool)',
  'function remoteToken() view returns (address)',
  'function l1Token() view returns (address)',
]);

/** Gas for the bridge's call on the other side: minting a token to a receiver that is a contract takes less. On L1 it is paid for, whatever is used. */
const minGasLimit = 200_000;

type Hex = `0x${string}`;
const hexOf = (text: string): Hex => `0x${text.slice(2)}`;

export const bridgeEther = (to: string): Hex =>
  encodeFunctionData({ abi, functionName: 'bridgeETHTo', args: [hexOf(to), minGasLimit, '0x'] });

/** `local`: the token on the side that it is sent from. */
export const bridgeToken = (local: string, remote: string, to: string, amount: bigint): Hex =>
  encodeFunctionData({
    abi,
    functionName: 'bridgeERC20To',
    args: [hexOf(local), hexOf(remote), hexOf(to), amount, minGasLimit, '0x'],
  });

/** By which a standard bridge tells a token that it mints and burns: `IOptimismMintableERC20`, and its predecessor. */
const mintable = { interfaceId: '0xec4fc8e3', counterpart: encodeFunctionData({ abi, functionName: 'remoteToken' }) };
const legacy = { interfaceId: '0x1d1d8b63', counterpart: encodeFunctionData({ abi, functionName: 'l1Token' }) };

export const mintableForms = [mintable, legacy].map(({ interfaceId, counterpart }) => ({
  isOfForm: encodeFunctionData({ abi, functionName: 'supportsInterface', args: [hexOf(interfaceId)] }),
  /** Asks for the token on the other side. */
  counterpart,
}));

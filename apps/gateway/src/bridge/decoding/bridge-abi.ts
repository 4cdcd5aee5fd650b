/** Events and functions of the OP Stack's messengers and standard bridges, which viem does not export. Those of portal, message passer and games are viem's. */

import { parseAbi } from 'viem';

/** Of both messengers. A message is delivered by `relayMessage` on the other chain. */
export const messengerAbi = parseAbi([
  'function relayMessage(uint256 nonce, address sender, address target, uint256 value, uint256 minGasLimit, bytes message) payable',
  'event RelayedMessage(bytes32 indexed msgHash)',
  'event FailedRelayedMessage(bytes32 indexed msgHash)',
]);

/** Calls between the two standard bridges. */
export const standardBridgeAbi = parseAbi([
  'function finalizeBridgeETH(address from, address to, uint256 amount, bytes extraData) payable',
  'function finalizeBridgeERC20(address localToken, address remoteToken, address from, address to, uint256 amount, bytes extraData)',
]);

export const tokenFactoryAbi = parseAbi([
  'event OptimismMintableERC20Created(address indexed localToken, address indexed remoteToken, address deployer)',
]);

/** Of a pool, in either common form. */
export const poolAbi = parseAbi([
  'function token0() view returns (address)',
  'function token1() view returns (address)',
]);
export const v2SwapAbi = parseAbi([
  'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
]);
export const v3SwapAbi = parseAbi([
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
]);

export const portalAbi = parseAbi([
  'event TransactionDeposited(address indexed from, address indexed to, uint256 indexed version, bytes opaqueData)',
  'event WithdrawalProven(bytes32 indexed withdrawalHash, address indexed from, address indexed to)',
  'event WithdrawalProvenExtension1(bytes32 indexed withdrawalHash, address indexed proofSubmitter)',
  'event WithdrawalFinalized(bytes32 indexed withdrawalHash, bool success)',
  'event DisputeGameBlacklisted(address indexed disputeGame)',
  'event RespectedGameTypeSet(uint32 indexed newGameType, uint64 indexed updatedAt)',
]);

export const messagePasserAbi = parseAbi([
  'event MessagePassed(uint256 indexed nonce, address indexed sender, address indexed target, uint256 value, uint256 gasLimit, bytes data, bytes32 withdrawalHash)',
]);

export const gameFactoryAbi = parseAbi([
  'event DisputeGameCreated(address indexed disputeProxy, uint32 indexed gameType, bytes32 indexed rootClaim)',
]);

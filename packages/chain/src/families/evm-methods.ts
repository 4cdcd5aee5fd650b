/**
 * The EVM family's method lists: methods that no node receives, and methods that nodes receive only on networks with an opt-in
 * (contract/json-rpc#blocked-methods).
 */

import type { ListedBlocks } from './method-family.ts';

/** The namespaces and methods that contract/json-rpc#blocked-methods names. */
const administrative = [
  ...[
    'personal_*',
    'admin_*',
    'txpool_*',
    'miner_*',
    'engine_*',
    'clique_*',
    'ibft_*',
    'qbft_*',
    'perm_*',
    'plugins_*',
  ],
  ...['les_*', 'vflux_*', 'ethash_*', 'db_*', 'shh_*', 'parity_*', 'anvil_*', 'hardhat_*', 'evm_*', 'tenderly_*'],
  ...['testing_*', 'rbuilder_*', 'odyssey_*', 'consensus_*', 'wallet_*', 'flashbots_validateBuilder*', 'net_enode'],
];

/** Methods that sign with keys of the node, or control its mining. */
const nodeKeysAndMining = [
  ...['eth_sendTransaction*', 'eth_sign*', 'eth_resend', 'eth_submitTransaction', 'eth_fillTransaction'],
  ...['eth_sendUnsignedTransaction', 'eth_requestAccounts', 'eth_submitWork', 'eth_submitHashrate', 'eth_getWork'],
  ...['eth_compile*', 'eth_getCompilers'],
];

/** Further methods of this kind, beyond the list of contract/json-rpc#blocked-methods: each is a client's administration, keys or test control. */
const furtherAdministrative = [
  ...['eth_decrypt', 'eth_getEncryptionPublicKey'], // keys
  ...['net_localEnode', 'net_localAddress', 'net_services', 'erigon_nodeInfo'], // a node's own address, as net_enode
  ...['account_*', 'clef_*', 'ui_*', 'signer_*', 'secretstore_*', 'vault_*'], // Clef, OpenEthereum, Nethermind
  ...['dev_*', 'catalyst_*', 'reth_newPayload*', 'reth_forkchoiceUpdated*'], // Geth's developer mode, engines by other names
  ...['opp2p_*', 'conductor_*', 'interop_*'], // OP Stack: peers, sequencer hand-over, driven derivation
  ...['arbvalidator_*', 'auctioneer_*', 'validation_*', 'nitroexecution_*'], // Arbitrum Nitro, between its own parts
  ...['taikoAuth_*'],
  ...['priv_*', 'raft_*', 'istanbul_*', 'quorumPermission_*', 'quorumExtension_*'], // Besu's and Quorum's private networks
  ...['governance_*', 'mainbridge_*', 'subbridge_*', 'bootnode_*', 'klay_sendTransaction*', 'klay_sign*'], // Kaia
  ...['klay_resend', 'kaia_sendTransaction*', 'kaia_sign*', 'kaia_resend'],
  ...['sco_*', 'mnr_*', 'rsk_flush', 'rsk_shutdown'], // Rootstock
  ...['author_*', 'offchain_*', 'system_addReservedPeer', 'system_removeReservedPeer'], // Substrate under Frontier
  ...['system_addLogFilter', 'system_resetLogFilter'],
  ...['ganache_*', 'test_*', 'config_*'], // Ganache, Retesteth, anvil-zksync
];

/** Methods with a heavy prefix that read or write files on the node. */
const debugFiles = ['debug_traceBlockFromFile', 'debug_trace*ToFile'];

/**
 * Every debug method that only reads chain data. None is on by default: those outside `debug_trace*` and `debug_getRaw*` re-execute blocks, walk tries, or return
 * whole blocks. Methods that read the process, its database or its configuration are not listed.
 */
const debugReads = [
  ...[
    'debug_trace*',
    'debug_getRaw*',
    'debug_getBlockRlp*',
    'debug_getHeaderRlp',
    'debug_getBadBlocks',
    'debug_preimage',
  ],
  ...['debug_storageRangeAt', 'debug_accountRange', 'debug_accountAt', 'debug_getModifiedAccountsByHash'],
  ...['debug_getModifiedAccountsByNumber', 'debug_intermediateRoots', 'debug_getAccessibleState', 'debug_codeByHash'],
  ...['debug_executionWitness*', 'debug_executePayload', 'debug_getChainLevel', 'debug_simulateV1'],
];

export const evmMethods: ListedBlocks = {
  shape: /^(?:[a-zA-Z][a-zA-Z0-9]*_[A-Za-z0-9_]+|rpc\.discover)$/,
  maxLength: 128,
  enableForm: /^[a-z][a-z0-9]*_[a-z0-9_]*\*?$/i,
  enableExamples: ['trace_block', 'trace_*'],
  blocked: [...administrative, ...nodeKeysAndMining, ...furtherAdministrative, ...debugFiles],
  heavy: [...debugReads, 'trace_*', 'arbtrace_*', 'arbdebug_*', 'ots_*', 'erigon_*', 'overlay_*'],
  blockedUnlessHeavy: ['debug_*'],
  noAccounts: ['eth_accounts'],
  subscriptions: ['*_subscribe', '*_unsubscribe'],
};

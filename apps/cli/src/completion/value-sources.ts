/** Completion values from the gateway and the profiles. */

import { collected } from '../collected.ts';
import type { OfferSource } from './offers.ts';

/** More than a user looks through. */
const max = 100;

export const networkNames: OfferSource = async (cli) => {
  const networks = await collected((await cli.client('token', 'apiKey')).networks.list(), max);
  return networks.map(({ dlt, networkId, name }) => ({ value: `${dlt}/${networkId}`, description: name }));
};

export const nodeIds: OfferSource = async (cli) => {
  const nodes = await collected((await cli.client('token', 'apiKey')).nodes.list(), max);
  return nodes.map(({ nodeId, dlt, networkId, label }) => ({
    value: nodeId,
    description: `${dlt}/${networkId}${label === undefined ? '' : ` ${label}`}`,
  }));
};

/** The nodes that the user registered. */
export const ownNodeIds: OfferSource = async (cli) => {
  const nodes = await collected((await cli.client('token')).nodes.list(), max);
  return nodes.flatMap(({ nodeId, source, label = '' }) =>
    source === 'user' ? [{ value: nodeId, description: label }] : [],
  );
};

/** The keys that can be revoked. */
export const keyIds: OfferSource = async (cli) => {
  const keys = await collected((await cli.client('token')).apiKeys.list(), max);
  return keys.flatMap(({ keyId, label, revokedAt }) =>
    revokedAt === undefined ? [{ value: keyId, description: label }] : [],
  );
};

export const profileNames: OfferSource = ({ profiles }) =>
  profiles.names().map((name) => ({ value: name, description: profiles.read(name)?.url ?? '' }));

/** Frequently typed methods of Ethereum's execution API; any other method may be typed as well. */
export const methodNames: OfferSource = () =>
  [
    ...['eth_accounts', 'eth_blockNumber', 'eth_call', 'eth_chainId', 'eth_createAccessList', 'eth_estimateGas'],
    ...['eth_feeHistory', 'eth_gasPrice', 'eth_getBalance', 'eth_getBlockByHash', 'eth_getBlockByNumber'],
    ...['eth_getBlockReceipts', 'eth_getBlockTransactionCountByHash', 'eth_getBlockTransactionCountByNumber'],
    ...['eth_getCode', 'eth_getFilterChanges', 'eth_getFilterLogs', 'eth_getLogs', 'eth_getProof', 'eth_getStorageAt'],
    ...['eth_getTransactionByBlockHashAndIndex', 'eth_getTransactionByBlockNumberAndIndex', 'eth_getTransactionByHash'],
    ...['eth_getTransactionCount', 'eth_getTransactionReceipt', 'eth_maxPriorityFeePerGas', 'eth_newBlockFilter'],
    ...['eth_newFilter', 'eth_sendRawTransaction', 'eth_syncing', 'eth_uninstallFilter', 'net_version'],
    'web3_clientVersion',
  ].map((value) => ({ value }));

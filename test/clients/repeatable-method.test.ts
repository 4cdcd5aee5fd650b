/** The JSON-RPC methods that the client may send twice. */

import { expect, test } from 'bun:test';
import { bitcoinBlocked, bitcoinForwarded } from '../../apps/gateway/test/corpora/bitcoin-methods.ts';
import { solanaBlocked, solanaForwarded } from '../../apps/gateway/test/corpora/solana-methods.ts';
import { isRepeatableMethod } from '../../client/src/repeatable-method.ts';

test('reads of every family are repeatable; methods that send, sign or change anything are not', () => {
  const reads = [
    'eth_call',
    'eth_getLogs',
    'getBalance',
    'getSlot',
    'simulateTransaction',
    'getblock',
    'getrawmempool',
  ];
  expect(reads.filter((method) => !isRepeatableMethod(method))).toEqual([]);
  const others = [
    'eth_sendRawTransaction',
    'eth_getFilterChanges',
    'sendTransaction',
    'sendrawtransaction',
    'getnewaddress',
  ];
  expect(others.filter(isRepeatableMethod)).toEqual([]);
  const forwarded = [...solanaForwarded, ...bitcoinForwarded].filter(isRepeatableMethod);
  expect(forwarded.filter((method) => method.startsWith('send'))).toEqual([]);
  expect(forwarded.length).toBeGreaterThan(60);
  const blocked = [...solanaBlocked, ...bitcoinBlocked].filter((method) => isRepeatableMethod(method));
  expect(blocked.filter((method) => !/^(get[A-Z]|eth_blockNumber$|getblockcount$)/.test(method))).toEqual([]);
});

/** The methods of the EVM family whose calls may be repeated (contract/retries#reads). */

import { expect, test } from 'bun:test';
import { evm } from '@flowgate/chain/families/evm';
import { blockedMethods } from '../../test/corpora/blocked-methods.ts';
import { createMethodPolicy } from './method-policy.ts';

const { methods, reads, quickReads } = evm;
const everything = ['debug_*', 'trace_*', 'arbtrace_*', 'arbdebug_*', 'ots_*', 'erigon_*', 'overlay_*'];
const policy = createMethodPolicy(methods, everything);

test('every read is forwarded, at least with every heavy family enabled', () => {
  expect([...reads].filter((method) => policy(method) !== 'forward')).toEqual([]);
  expect(blockedMethods.filter((method) => reads.has(method))).toEqual([]);
  expect(reads.size).toBeGreaterThan(250);
});

test('no read has a name of a method that submits, changes or stores data', () => {
  const suspicious =
    /send|submit|cancel|broadcast|distribute|sign|new[A-Z]|install|uninstall|(?:^|_)set|subscribe|delete|reset|vote|add[A-Z]|remove|Filter/;
  const harmless = new Set([
    'bor_getSigners',
    'bor_getSignersAtHash',
    'klay_getTransactionBySenderTxHash',
    'kaia_getTransactionBySenderTxHash',
  ]);
  const found = [...reads].filter(
    (method) => suspicious.test(method) && !harmless.has(method) && !/BySender/.test(method),
  );
  expect(found).toEqual([]);
});

test('reads that share a connection are reads', () => {
  expect([...quickReads].filter((method) => !reads.has(method))).toEqual([]);
});

test('a submission or an unknown method is not a read', () => {
  const others = [
    ...[
      'eth_sendRawTransaction',
      'ETH_SENDRAWTRANSACTION',
      'eth_sendRawTransactionSync',
      'eth_sendBundle',
      'mev_sendBundle',
    ],
    ...[
      'eth_cancelPrivateTransaction',
      'eth_cancelBundle',
      'eth_sendUserOperation',
      'bor_sendRawTransactionConditional',
    ],
    ...['zks_sendRawTransactionWithDetailedOutput', 'eea_sendRawTransaction', 'timeboost_sendExpressLaneTransaction'],
    ...[
      'eth_newFilter',
      'eth_getFilterChanges',
      'eth_getFilterLogs',
      'eth_uninstallFilter',
      'eth_subscribe',
      'trace_anythingNew',
    ],
    ...[
      'eth_unheardOf',
      'ETH_CALL',
      'eth_Call',
      'bor_getVoteOnHash',
      'arb_triggerMaintenance',
      'constructor',
      '__proto__',
      '',
    ],
  ];
  expect(others.filter((method) => reads.has(method))).toEqual([]);
});

test('the list contains the reads of every namespace', () => {
  const known = [
    ...[
      'eth_call',
      'eth_getLogs',
      'eth_getTransactionReceipt',
      'eth_callBundle',
      'net_version',
      'web3_sha3',
      'trace_block',
      'rpc.discover',
    ],
    ...[
      'debug_traceTransaction',
      'debug_getRawBlock',
      'arbtrace_call',
      'ots_getApiLevel',
      'erigon_getLogs',
      'overlay_getLogs',
      'proof_call',
    ],
    ...[
      'optimism_outputAtBlock',
      'rollup_gasPrices',
      'zks_estimateFee',
      'linea_estimateGas',
      'bor_getAuthor',
      'kaia_getBalance',
    ],
  ];
  expect(known.filter((method) => !reads.has(method))).toEqual([]);
});

import { heapStats } from 'bun:jsc';
import { describe, expect, test } from 'bun:test';
import { evmMethods } from '@flowgate/chain/families/evm-methods';
import fc from 'fast-check';
import { blockedMethods } from '../../test/corpora/blocked-methods.ts';
import { decodeBody } from './message.ts';
import { createMethodPolicy, enableProblem, type MethodVerdict } from './method-policy.ts';

const closed = createMethodPolicy(evmMethods, []);
const everything = ['debug_*', 'trace_*', 'arbtrace_*', 'arbdebug_*', 'ots_*', 'erigon_*', 'overlay_*'];
const open = createMethodPolicy(evmMethods, everything);

const heavy = [
  ...[
    'debug_traceTransaction',
    'debug_traceCall',
    'debug_traceBlockByNumber',
    'debug_getRawBlock',
    'debug_getRawReceipts',
  ],
  ...['debug_storageRangeAt', 'debug_getBadBlocks', 'debug_executionWitness', 'trace_block', 'trace_replayTransaction'],
  ...['arbtrace_call', 'ots_getApiLevel', 'erigon_getHeaderByNumber', 'overlay_getLogs', 'arbdebug_pricingModel'],
];

const forwarded = [
  ...[
    'eth_blockNumber',
    'eth_call',
    'eth_getLogs',
    'eth_sendRawTransaction',
    'eth_sendRawTransactionSync',
    'eth_chainId',
  ],
  ...['eth_sendRawTransactionConditional', 'eth_sendBundle', 'eth_sendUserOperation', 'eth_simulateV1', 'eth_coinbase'],
  ...[
    'net_version',
    'net_listening',
    'web3_clientVersion',
    'web3_sha3',
    'rpc_modules',
    'rpc.discover',
    'bor_getAuthor',
  ],
  ...[
    'optimism_outputAtBlock',
    'zks_estimateFee',
    'linea_estimateGas',
    'eth_getTransactionByHash',
    'eth_feeHistory',
    'proof_call',
  ],
];

describe('verdicts (contract/json-rpc#blocked-methods)', () => {
  test.each(blockedMethods)('%s is blocked, in any case, even with every heavy family enabled', (method) => {
    for (const policy of [closed, open]) {
      for (const spelling of [method, method.toLowerCase(), method.toUpperCase()])
        expect(policy(spelling)).toBe('blocked');
    }
  });

  test.each(heavy)('%s is off until a network opts in, in any case', (method) => {
    for (const spelling of [method, method.toUpperCase()]) {
      expect(closed(spelling)).toBe('not-enabled');
      expect(open(spelling)).toBe('forward');
    }
  });

  test.each(forwarded)('%s is forwarded', (method) => {
    expect(closed(method)).toBe('forward');
    expect(open(method)).toBe('forward');
  });

  test('the gateway answers eth_accounts itself, in any letter case', () => {
    expect(closed('eth_accounts')).toBe('no-accounts');
    expect(closed('ETH_Accounts')).toBe('no-accounts');
  });

  test('subscription methods reach no node, in any namespace and letter case, and blocked namespaces stay blocked', () => {
    for (const method of ['eth_subscribe', 'eth_unsubscribe', 'ETH_Subscribe', 'klay_subscribe', 'net_unsubscribe'])
      expect([method, closed(method), open(method)]).toEqual([method, 'subscription', 'subscription']);
    expect(closed('admin_subscribe')).toBe('blocked');
    expect(closed('debug_subscribe')).toBe('blocked');
  });

  test('every entry of the lists takes effect, and no enabled pattern opens a blocked method', () => {
    for (const entry of evmMethods.blocked) {
      const method = entry.replaceAll('*', 'x');
      expect([entry, createMethodPolicy(evmMethods, [entry, method, ...everything])(method)]).toEqual([
        entry,
        'blocked',
      ]);
    }
    for (const entry of evmMethods.heavy) {
      const method = entry.replaceAll('*', 'x');
      expect([entry, closed(method), open(method)]).toEqual([entry, 'not-enabled', 'forward']);
    }
  });

  test('names of up to 128 characters are evaluated, longer ones are blocked', () => {
    expect(closed(`eth_${'a'.repeat(124)}`)).toBe('forward');
    expect(closed(`eth_${'a'.repeat(125)}`)).toBe('blocked');
    expect(closed(`eth_${'a'.repeat(5_000_000)}`)).toBe('blocked');
  });

  test('only names of the family shape are ever forwarded, for any input', () => {
    const piece = fc.constantFrom(
      'eth',
      '_',
      'call',
      'personal',
      '.',
      ' ',
      '\u0000',
      'é',
      'Σ',
      '\n',
      '0',
      'debug',
      'rpc.discover',
    );
    const name = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(name, (method) => {
        const verdict = closed(method);
        expect(closed(method)).toBe(verdict);
        if (verdict !== 'blocked') expect(method).toMatch(/^([a-zA-Z][a-zA-Z0-9]*_[A-Za-z0-9_]+|rpc\.discover)$/);
        if (/^(personal|admin|txpool|debug)_/i.test(method)) expect(verdict).not.toBe('forward');
      }),
      { numRuns: 2000 },
    );
  });

  test('verdicts stay correct during a flood of invented names', () => {
    const policy = createMethodPolicy(evmMethods, []);
    for (let k = 0; k < 20_000; k++) policy(`eth_invented${k}`);
    expect([policy('eth_call'), policy('txpool_status'), policy('trace_block')]).toEqual([
      'forward',
      'blocked',
      'not-enabled',
    ]);
  });
});

describe('memory', () => {
  const heap = () => {
    Bun.gc(true);
    return heapStats();
  };

  test('a flood of invented names is not stored', () => {
    const policy = createMethodPolicy(evmMethods, []);
    const before = heap().objectTypeCounts['string'] ?? 0;
    for (let k = 0; k < 100_000; k++) policy(`eth_invented${k}`);
    expect((heap().objectTypeCounts['string'] ?? 0) - before).toBeLessThan(20_000);
    expect(policy('eth_call')).toBe('forward');
  });

  test('a cached name does not retain the body that contained it', () => {
    const policy = createMethodPolicy(evmMethods, []);
    const params = 'x'.repeat(1_000_000);
    const before = heap().heapSize;
    for (let k = 0; k < 200; k++) {
      const body = Buffer.from(`{"jsonrpc":"2.0","method":"eth_large${k}","params":["${params}"]}`);
      expect(verdicts(body, policy)).toEqual(['forward']);
    }
    expect(heap().heapSize - before).toBeLessThan(100_000_000);
    expect(policy('eth_call')).toBe('forward');
  });
});

describe('no spelling bypasses the policy (contract/json-rpc#spelling)', () => {
  const envelope = (method: string) => `{"jsonrpc":"2.0","id":1,"method":${method}}`;
  const escaped = (name: string) =>
    [...name].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

  /** JSON texts for the member `method`. */
  const names = [
    ...[
      '"txpool\\u005fstatus"',
      '"\\u0074xpool_status"',
      '"\\u0054XPOOL_STATUS"',
      '"txpool_\\u0073tatus"',
      `"${escaped('txpool_status')}"`,
    ],
    ...[
      `"${escaped('TXPOOL_STATUS')}"`,
      '"Txpool_status"',
      '"TXPOOL_status"',
      '"txPool_Status"',
      '"ETH_SENDTRANSACTION"',
      '"Eth_SendTransaction"',
    ],
    ...[
      '"eth_\\u0073endTransaction"',
      '"eth\\u005FsendTransaction"',
      '"EtH_sIgN"',
      '"eth_SIGNTRANSACTION"',
      '"Admin_Peers"',
      '"ADMIN\\u005fPEERS"',
    ],
    ...[
      '" txpool_status"',
      '"txpool_status "',
      '"\\ttxpool_status"',
      '"txpool_status\\t"',
      '"txpool_status\\n"',
      '"\\ntxpool_status"',
      '"txpool_status\\r"',
    ],
    ...[
      '"txpool_status\\u0000"',
      '"\\u0000txpool_status"',
      '"txpool\\u0000_status"',
      '"txpool_\\u0000status"',
      '"txpool_status\\u000b"',
      '"eth_call\\u0000"',
    ],
    ...[
      '"txpool _status"',
      '"txpool_ status"',
      '"txpool\u00a0_status"',
      '"txpool_status\u00a0"',
      '"txpool_status\u200b"',
      '"\u200btxpool_status"',
    ],
    ...[
      '"tx\u00adpool_status"',
      '"txpool_status\u2028"',
      '"\ufefftxpool_status"',
      '"\u202etxpool_status"',
      '"txpool\uff3fstatus"',
      '"txpool\u203fstatus"',
    ],
    ...[
      '"tхpool_status"',
      '"txpооl_status"',
      '"ｔｘｐｏｏｌ＿ｓｔａｔｕｓ"',
      '"txpool_ſtatus"',
      '"perſonal_sign"',
      '"ADM\u0130N_peers"',
      '"adm\u0131n_peers"',
    ],
    ...[
      '"\u212aeth_call"',
      '"t\u0078\u0301pool_status"',
      '"txpool.status"',
      '"txpool/status"',
      '"txpool-status"',
      '"txpool:status"',
      '"txpoolstatus"',
    ],
    ...[
      '"_txpool_status"',
      '"__txpool_status"',
      '"txpool_"',
      '"_"',
      '""',
      '"txpool__status"',
      '"0txpool_status"',
      '"txpool"',
      '"eth"',
      '"eth_"',
      '"_call"',
    ],
    ...[
      '"txpool%5fstatus"',
      '"txpool_status?"',
      '"txpool_status#"',
      '"txpool_status;"',
      '"eth_call,txpool_status"',
      '"eth_call txpool_status"',
    ],
    ...[
      '"\\"txpool_status\\""',
      '"\'txpool_status\'"',
      '"txpool\\\\u005fstatus"',
      '"[\\"txpool_status\\"]"',
      '"rpc.Discover"',
      '"rpc.discover "',
    ],
    ...[
      '"rpc.on"',
      '"rpcxdiscover"',
      '"eth.sendTransaction"',
      '"eth_call\\nContent-Length: 0"',
      '"../txpool_status"',
      '"\\ud800eth_call"',
    ],
    ...[
      '"debug_SETHEAD"',
      '"DEBUG_setHead"',
      '"debug__traceCall"',
      '"Debug\\u005fsetHead"',
      '"debug_TraceBlockFromFile"',
      '"NET_ENODE"',
      '"net_\\u0065node"',
    ],
    ...['"FLASHBOTS_VALIDATEBUILDERx"', '"__proto__"', '"constructor"', '"hasOwnProperty"', '"toString"'],
  ];

  test('there are at least 60 hostile spellings', () => {
    expect(new Set(names).size).toBeGreaterThanOrEqual(60);
  });

  test.each(names)('the method %s is blocked, alone and in a batch', (name) => {
    for (const policy of [closed, open]) {
      expect(verdicts(envelope(name), policy)).toEqual(['blocked']);
      expect(verdicts(`[${envelope('"eth_call"')}, ${envelope(name)}]`, policy)).toEqual(['forward', 'blocked']);
    }
  });

  /** Complete bodies that must not result in a forwarded call. */
  test.each([
    '{"jsonrpc":"2.0","id":1,"method":"eth_call","method":"txpool_status"}',
    '{"jsonrpc":"2.0","id":1,"method":"txpool_status","method":"eth_call"}',
    '{"jsonrpc":"2.0","id":1,"method":"eth_call","\\u006dethod":"txpool_status"}',
    '{"jsonrpc":"2.0","id":1,"method":"eth_call","METHOD":"txpool_status"}',
    '{"jsonrpc":"2.0","id":1,"Method":"txpool_status","method":"eth_call"}',
    '{"jsonrpc":"2.0","id":1,"method":["eth_call"]}',
    '{"jsonrpc":"2.0","id":1,"method":{"toString":"eth_call"}}',
    '[[{"jsonrpc":"2.0","id":1,"method":"txpool_status"}]]',
    '[[[{"jsonrpc":"2.0","id":1,"method":"eth_call"}]]]',
    '{"jsonrpc":"2.0","id":1,"params":{"method":"eth_call"}}',
    '{"0":{"jsonrpc":"2.0","id":1,"method":"eth_call"}}',
    '{"jsonrpc":"2.0","id":1,"method":"eth_call"}{"jsonrpc":"2.0","id":1,"method":"txpool_status"}',
    '{"jsonrpc":"2.0","id":1,"method":"eth_call"}\n{"jsonrpc":"2.0","id":1,"method":"txpool_status"}',
    '{"jsonrpc":"2.0","id":1,"method":"eth_call"/*,"method":"txpool_status"*/}',
    '{"jsonrpc":"2.0","id":1,"method":"eth_call\u0000"}',
    "{'jsonrpc':'2.0','id':1,'method':'eth_call'}",
    '{"jsonrpc":"2.0","id":1,"__proto__":{"method":"eth_call"}}',
  ])('%j never becomes a forwarded call', (body) => {
    expect(verdicts(body, open)).not.toContain('forward');
  });
});

function verdicts(text: string | Uint8Array, policy: (method: string) => MethodVerdict): (MethodVerdict | 'refused')[] {
  const body = decodeBody(Buffer.from(text), 100);
  if (body.kind === 'unparsable' || body.kind === 'too-many') return ['refused'];
  const messages = body.kind === 'batch' ? body.messages : [body.message];
  return messages.map((message) => (message.kind === 'call' ? policy(message.method) : 'refused'));
}

describe('enabling', () => {
  test('a pattern enables the methods that it matches and no others', () => {
    const policy = createMethodPolicy(evmMethods, ['Trace_*', 'debug_traceCall']);
    expect(['trace_block', 'TRACE_filter', 'debug_traceCall'].map(policy)).toEqual(['forward', 'forward', 'forward']);
    expect(['debug_traceCallMany', 'debug_traceTransaction', 'ots_getApiLevel'].map(policy)).toEqual(
      Array(3).fill('not-enabled'),
    );
    expect(createMethodPolicy(evmMethods, ['debug_*'])('debug_setHead')).toBe('blocked');
  });

  test.each([
    'trace_*',
    'trace_block',
    'trace_re*',
    'debug_*',
    'debug_trace*',
    'DEBUG_TRACECALL',
    'erigon_*',
    'debug_storageRangeAt',
  ])('%s may be enabled', (pattern) => {
    expect(enableProblem(evmMethods, pattern)).toBeUndefined();
  });

  test.each([
    ...[
      '*',
      '',
      '**',
      'trace_*_*',
      '*_block',
      'trace',
      'trace*',
      ' trace_*',
      'trace_* ',
      'trace_.*',
      '.*',
      'd*',
      'rpc.discover',
    ],
    ...[
      'admin_*',
      'personal_sign',
      'txpool_*',
      'debug_setHead',
      'debug_traceBlockFromFile',
      'erigon_nodeInfo',
      'eth_sendTransaction',
    ],
    ...['eth_*', 'eth_call', 'net_version', 'trace_(block)', 'trace_[a-z]+'],
  ])('%j may not be enabled, and enables no method when it is', (pattern) => {
    expect(enableProblem(evmMethods, pattern)).toBeString();
    const policy = createMethodPolicy(evmMethods, [pattern]);
    for (const method of [...blockedMethods, ...heavy]) expect(policy(method)).toBe(closed(method));
  });
});

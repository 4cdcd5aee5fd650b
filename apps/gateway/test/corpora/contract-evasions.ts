/**
 * Ways to bypass a policy that denies a contract: other methods, other spellings, and texts that two parsers understand
 * differently (contract/firewall-resources#contracts). `TARGET` is the denied contract in lower case, `OTHER` one that
 * is not denied.
 */

export const targetContract = '0x00000000000000000000000000000000deadbeef';
export const otherContract = '0x00000000000000000000000000000000cafecafe';

/**
 * `reaches`: parsed, and the target is among the called contracts. `unclear`: refused because it cannot be parsed
 * unambiguously. `passes`: parsed, and it calls only others, or none.
 */
export type Verdict = 'reaches' | 'unclear' | 'passes';

export type Evasion = {
  readonly trick: string;
  readonly method: string;
  /** Raw JSON. */
  readonly params: string | undefined;
  readonly verdict: Verdict;
};

const call = (trick: string, object: string, verdict: Verdict, method = 'eth_call'): Evasion => ({
  trick,
  method,
  params: `[${object},"latest"]`,
  verdict,
});
const as = (trick: string, method: string, params: string | undefined, verdict: Verdict): Evasion => ({
  trick,
  method,
  params,
  verdict,
});

const spellings: readonly Evasion[] = [
  call('plainly', '{"to":"TARGET","data":"0xa9059cbb"}', 'reaches'),
  call('another contract', '{"to":"OTHER","data":"0xa9059cbb"}', 'passes'),
  call('white space everywhere', ' {\n\t"to" :\r "TARGET" , "data" : "0xa9059cbb" } ', 'reaches'),
  call('digits in upper case', '{"to":"0x00000000000000000000000000000000DEADBEEF"}', 'reaches'),
  call('a prefix in upper case', '{"to":"0X00000000000000000000000000000000deadbeef"}', 'reaches'),
  call('no prefix', '{"to":"00000000000000000000000000000000deadbeef"}', 'unclear'),
  call('an address that is filled up on the left', '{"to":"0xdeadbeef"}', 'unclear'),
  call('an address of 32 bytes', '{"to":"0x00000000000000000000000000000000000000000000000000000000deadbeef"}', 'unclear'),
  call('blanks around the address', '{"to":" TARGET"}', 'unclear'),
  call('a name that the node resolves', '{"to":"target.eth"}', 'unclear'),
  call('an empty address', '{"to":""}', 'unclear'),
  call('a number as address', '{"to":3735928559}', 'unclear'),
  call('an address in an array', '{"to":["TARGET"]}', 'unclear'),
  call('an escape in the address', '{"to":"0x00000000000000000000000000000000deadbee\\u0066"}', 'unclear'),
  call('an escape in the name', '{"\\u0074o":"TARGET"}', 'unclear'),
  call('an escape in another name', '{"to":"OTHER","\\u0064ata":"0x"}', 'unclear'),
  call('an escape in a name that is none', '{"to":"OTHER","\\u0078":"0x"}', 'unclear'),
  call('the name in upper case', '{"To":"TARGET"}', 'unclear'),
  call('the name twice, the last one counts', '{"to":"OTHER","to":"TARGET"}', 'unclear'),
  call('the name twice, the first one counts', '{"to":"TARGET","to":"OTHER"}', 'unclear'),
  call('the name twice, alike', '{"to":"OTHER","to":"OTHER"}', 'unclear'),
  call('the name in two cases', '{"to":"OTHER","TO":"TARGET"}', 'unclear'),
  call('a dotless i in input', '{"to":"OTHER","\u0131nput":"0x"}', 'unclear'),
  call('a letter that only looks like o', '{"to":"OTHER","t\u043e":"TARGET"}', 'unclear'),
  call('a blank after the name', '{"to":"OTHER","to ":"TARGET"}', 'unclear'),
  call('a NUL after the name', '{"to":"OTHER","to\\u0000":"TARGET"}', 'unclear'),
  call('the name of a prototype', '{"to":"OTHER","__proto__":{"to":"TARGET"}}', 'unclear'),
  call('a list of further calls', '{"to":"OTHER","calls":[{"to":"TARGET","data":"0xa9059cbb"}]}', 'unclear'),
  call('further calls only', '{"from":"OTHER","calls":[{"to":"TARGET"}]}', 'unclear', 'eth_estimateGas'),
  call('a list in another letter case', '{"to":"OTHER","AccessList":[{"to":"TARGET"}]}', 'unclear'),
  call('an object with a paymaster', '{"to":"OTHER","eip712Meta":{"paymasterParams":{"paymaster":"TARGET"}}}', 'unclear'),
  call('further calls in a simulation', '{"blockStateCalls":[{"calls":[{"to":"OTHER","calls":[{"to":"TARGET"}]}]}]}', 'unclear', 'eth_simulateV1'),
  call('lists without calls', '{"to":"OTHER","accessList":[{"address":"TARGET","storageKeys":[]}],"authorizationList":[],"blobVersionedHashes":[]}', 'passes'),
  call('the target in a member without meaning', '{"to":"OTHER","from":"TARGET"}', 'passes'),
  call('no object', '"TARGET"', 'unclear'),
  call('the members of an object in an array', '["OTHER","TARGET"]', 'unclear'),
  call('null in place of the object', 'null', 'unclear'),
  as('parameters by name', 'eth_call', '{"request":{"to":"TARGET"}}', 'unclear'),
  as('parameters by name, two spellings', 'eth_call', '{"request":{"to":"OTHER"},"transaction":{"to":"TARGET"}}', 'unclear'),
  as('no parameters', 'eth_call', undefined, 'unclear'),
  as('an empty array', 'eth_call', '[]', 'unclear'),
  as('a second call behind the first', 'eth_call', '[{"to":"OTHER"},"latest",{"to":"TARGET"}]', 'passes'),
  as('the method in another letter case', 'ETH_CALL', '[{"to":"TARGET"},"latest"]', 'reaches'),
  call('more members than any call has', `{${Array.from({ length: 70 }, (_, n) => `"m${n}":0,`).join('')}"to":"TARGET"}`, 'unclear'),
];

const data: readonly Evasion[] = [
  call('data and input alike', '{"to":"TARGET","data":"0xA9059CBB","input":"0xa9059cbb"}', 'reaches'),
  call('data unlike input', '{"to":"OTHER","data":"0x","input":"0xa9059cbb"}', 'unclear'),
  call('input unlike data', '{"to":"OTHER","input":"0x70a08231","data":"0xa9059cbb"}', 'unclear'),
  call('data in another letter case', '{"to":"OTHER","Data":"0xa9059cbb"}', 'unclear'),
  call('INPUT in addition to data', '{"to":"OTHER","data":"0x","INPUT":"0xa9059cbb"}', 'unclear'),
  call('data twice', '{"to":"OTHER","data":"0x","data":"0xa9059cbb"}', 'unclear'),
  call('half a byte', '{"to":"OTHER","data":"0xa9059cb"}', 'unclear'),
  call('data that is no text', '{"to":"OTHER","data":{"hex":"0xa9059cbb"}}', 'unclear'),
  call('data without a prefix', '{"to":"OTHER","data":"a9059cbb"}', 'unclear'),
  call('data with two prefixes', '{"to":"OTHER","data":"0x0xa9059cbb"}', 'unclear'),
  call('an escape in data', '{"to":"OTHER","data":"0xa9059cb\\u0062"}', 'unclear'),
  call('null in addition to input', '{"to":"TARGET","data":null,"input":"0xa9059cbb"}', 'reaches'),
];

const methods: readonly Evasion[] = [
  call('an estimate', '{"to":"TARGET"}', 'reaches', 'eth_estimateGas'),
  call('an access list', '{"to":"TARGET"}', 'reaches', 'eth_createAccessList'),
  call('a traced call', '{"to":"TARGET"}', 'reaches', 'debug_traceCall'),
  call('a traced call, Parity', '{"to":"TARGET"}', 'reaches', 'trace_call'),
  call('a traced call, Arbitrum', '{"to":"TARGET"}', 'reaches', 'arbtrace_call'),
  as('many traced calls', 'trace_callMany', '[[[{"to":"OTHER"},["trace"]],[{"to":"TARGET"},["trace"]]],"latest"]', 'reaches'),
  as('many traced calls, a call that is none', 'trace_callMany', '[[[{"to":"OTHER"},[]],["TARGET",[]]]]', 'unclear'),
  as('many calls', 'eth_callMany', '[[{"transactions":[{"to":"OTHER"},{"to":"TARGET"}]}],{}]', 'reaches'),
  as('many calls, the list twice', 'eth_callMany', '[[{"transactions":[],"transactions":[{"to":"TARGET"}]}]]', 'unclear'),
  as('many calls, the list in another letter case', 'eth_callMany', '[[{"transactions":[],"Transactions":[{"to":"TARGET"}]}]]', 'unclear'),
  as('many calls, one bundle without an array', 'eth_callMany', '[{"transactions":[{"to":"TARGET"}]}]', 'unclear'),
  as('many calls, traced', 'debug_traceCallMany', '[[{"transactions":[{"to":"TARGET"}]}]]', 'reaches'),
  as('a simulation', 'eth_simulateV1', '[{"blockStateCalls":[{"calls":[{"to":"OTHER"},{"to":"TARGET"}]}]},"latest"]', 'reaches'),
  as('a simulation, in the second block', 'eth_simulateV1', '[{"blockStateCalls":[{"calls":[]},{"calls":[{"to":"TARGET"}]}]}]', 'reaches'),
  as(
    'a simulation, the blocks in another spelling',
    'eth_simulateV1',
    '[{"block_state_calls":[{"calls":[{"to":"TARGET"}]}]}]',
    'unclear',
  ),
  as(
    'a simulation, the calls under another name',
    'eth_simulateV1',
    '[{"blockStateCalls":[{"transactions":[{"to":"TARGET"}]}]}]',
    'unclear',
  ),
  as('many calls, under another name', 'eth_callMany', '[[{"txs":[{"to":"TARGET"}]}]]', 'unclear'),
  as('a simulation of nothing', 'eth_simulateV1', '[{"blockStateCalls":[{"blockOverrides":{}}]}]', 'passes'),
  as('a simulation, the calls twice', 'eth_simulateV1', '[{"blockStateCalls":[{"calls":[],"calls":[{"to":"TARGET"}]}]}]', 'unclear'),
  as('a simulation, the blocks in another letter case', 'eth_simulateV1', '[{"blockStateCalls":[],"blockstatecalls":[{"calls":[{"to":"TARGET"}]}]}]', 'unclear'),
  as('a simulation, calls in an object', 'eth_simulateV1', '[{"blockStateCalls":[{"calls":{"0":{"to":"TARGET"}}}]}]', 'unclear'),
  as('an earlier name of the simulation', 'eth_multicallV1', '[{"blockStateCalls":[{"calls":[{"to":"TARGET"}]}]}]', 'unclear'),
  as('a bundle', 'eth_sendBundle', '[{"txs":["0x02"]}]', 'unclear'),
  as('a simulated bundle', 'eth_callBundle', '[{"txs":["0x02"]}]', 'unclear'),
  as('a bundle of MEV-Share', 'mev_sendBundle', '[{}]', 'unclear'),
  as('a private transaction', 'eth_sendPrivateTransaction', '[{"tx":"0x02"}]', 'unclear'),
  as('a user operation', 'eth_sendUserOperation', '[{"callData":"0x"},"TARGET"]', 'unclear'),
  as('an estimate of a user operation', 'eth_estimateUserOperationGas', '[{},"TARGET"]', 'unclear'),
  as("a roll-up's estimate", 'zks_estimateFee', '[{"to":"TARGET"}]', 'unclear'),
  as("a provider's simulation", 'alchemy_simulateExecution', '[{"to":"TARGET"}]', 'unclear'),
  as('a block made by the caller, traced', 'debug_traceBlock', '["0xf90000"]', 'unclear'),
  as('a constructor that is called again', 'overlay_callConstructor', '["TARGET","0x"]', 'unclear'),
  as('an unknown method', 'eth_doSomethingNew', '[{"to":"TARGET"}]', 'unclear'),
  as('its logs', 'eth_getLogs', '[{"address":"TARGET"}]', 'passes'),
  as('its storage', 'eth_getStorageAt', '["TARGET","0x0","latest"]', 'passes'),
  as('its code', 'eth_getCode', '["TARGET","latest"]', 'passes'),
  as('the chain', 'eth_blockNumber', '[]', 'passes'),
];

const raw: readonly Evasion[] = [
  as('a transaction that cannot be decoded', 'eth_sendRawTransaction', '["0x02"]', 'unclear'),
  as('a transaction of an unknown type', 'eth_sendRawTransaction', '["0x7ec0"]', 'unclear'),
  as('a transaction that is no text', 'eth_sendRawTransaction', '[{"raw":"0x02"}]', 'unclear'),
  as('a transaction by name', 'eth_sendRawTransaction', '{"bytes":"0x02"}', 'unclear'),
  as('an escape in a transaction', 'eth_sendRawTransaction', '["\\u0030x02"]', 'unclear'),
  as('a transaction with a blank', 'eth_sendRawTransaction', '[" 0x02"]', 'unclear'),
];

export const contractEvasions: readonly Evasion[] = [...spellings, ...data, ...methods, ...raw].map((each) => ({
  ...each,
  params: each.params?.replaceAll('TARGET', targetContract).replaceAll('OTHER', otherContract),
}));

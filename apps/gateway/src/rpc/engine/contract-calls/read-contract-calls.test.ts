import { describe, expect, test } from 'bun:test';
import { evmMethods } from '@flowgate/chain/families/evm-methods';
import { decodeRawTransaction } from '@flowgate/chain/transactions/raw-transaction';
import fc from 'fast-check';
import { parseGwei, serializeTransaction } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { blockedMethods } from '../../../../test/corpora/blocked-methods.ts';
import { contractEvasions, otherContract, targetContract } from '../../../../test/corpora/contract-evasions.ts';
import { createMethodPolicy } from '../../method-policy.ts';
import type { ContractCall } from './call-object.ts';
import { callFormOf, callForms, callFree } from './contract-methods.ts';
import { readContractCalls } from './read-contract-calls.ts';

const read = (method: string, params: string | undefined) =>
  readContractCalls(method, params === undefined ? undefined : Buffer.from(params), decodeRawTransaction);

const reached = (method: string, params: string | undefined): readonly ContractCall[] => {
  const calls = read(method, params);
  if (calls === 'unclear') throw new Error(`${method} ${params} is unclear`);
  return calls;
};

describe('the corpus of evasions (contract/firewall-resources#contracts)', () => {
  test.each(contractEvasions.map((each) => [`${each.method}: ${each.trick}`, each] as const))(
    '%s',
    (_, { method, params, verdict }) => {
      const calls = read(method, params);
      const found =
        calls === 'unclear' ? 'unclear' : calls.some(({ to }) => to === targetContract) ? 'reaches' : 'passes';
      expect(found).toBe(verdict);
    },
  );
});

test('the method policy may forward every method whose calls are read and every method that calls no contract', () => {
  const forwards = createMethodPolicy(evmMethods, ['trace_*', 'debug_*', 'arbtrace_*', 'ots_*', 'erigon_*']);
  const names = [...Object.keys(callForms), ...callFree.map((name) => name.replace('*', 'x'))];
  const odd = names.filter((name) => forwards(name) === 'blocked');
  expect(odd).toEqual([]);
  expect(blockedMethods.filter((name) => callFormOf(name) === 'none' && forwards(name) !== 'blocked')).toEqual([]);
});

const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const fees = { maxFeePerGas: parseGwei('2'), maxPriorityFeePerGas: parseGwei('1'), gas: 90_000n, nonce: 0, chainId: 1 };

test('signed transactions of every type are read: the called contract and selector, or a creation (contract/firewall-resources#contracts)', async () => {
  const authorization = await account.signAuthorization({ chainId: 1, nonce: 1, contractAddress: otherContract });
  const transactions = {
    legacy: { type: 'legacy' as const, gasPrice: 1n, gas: 21_000n, nonce: 0, chainId: 1 },
    beforeEip155: { type: 'legacy' as const, gasPrice: 1n, gas: 21_000n, nonce: 0 },
    eip2930: { type: 'eip2930' as const, gasPrice: 1n, gas: 21_000n, nonce: 0, chainId: 1, accessList: [] },
    eip1559: { type: 'eip1559' as const, ...fees },
    eip7702: { type: 'eip7702' as const, ...fees, authorizationList: [authorization] },
    eip4844: {
      type: 'eip4844' as const,
      ...fees,
      maxFeePerBlobGas: 1n,
      blobVersionedHashes: [`0x01${'00'.repeat(31)}`] as const,
    },
  };
  for (const [name, transaction] of Object.entries(transactions)) {
    const signed = await account.signTransaction({ ...transaction, to: targetContract, data: '0xa9059cbb00' } as never);
    for (const method of ['eth_sendRawTransaction', 'eth_sendRawTransactionSync', 'eth_sendRawTransactionConditional'])
      expect([name, reached(method, `["${signed}", {}]`)]).toEqual([
        name,
        [{ to: targetContract, selector: '0xa9059cbb', paddedSelector: '0xa9059cbb' }],
      ]);
  }
  const creation = await account.signTransaction({ ...transactions.eip1559, data: '0x6001' });
  expect(reached('eth_sendRawTransaction', `["${creation}"]`)).toEqual([
    { to: undefined, selector: undefined, paddedSelector: undefined },
  ]);
  const unsigned = serializeTransaction({ ...transactions.eip1559, to: otherContract });
  expect(read('eth_sendRawTransaction', `["${unsigned}"]`)).toBe('unclear');
  const doubled = `["${creation}${creation.slice(2)}"]`;
  expect(read('eth_sendRawTransaction', doubled)).toBe('unclear');
});

test('a selector has four bytes; shorter data is padded, because a contract may not check the length', () => {
  const of = (data: string) => reached('eth_call', `[{"to":"${targetContract}","data":"${data}"}]`)[0];
  const to = targetContract;
  expect(of('0xA9059CBBff')).toEqual({ to, selector: '0xa9059cbb', paddedSelector: '0xa9059cbb' });
  expect(of('0xa9059c')).toEqual({ to, selector: undefined, paddedSelector: '0xa9059c00' });
  expect(of('0x')).toEqual({ to, selector: undefined, paddedSelector: '0x00000000' });
});

/**
 * The possible interpretations of an object by real parsers: the first or the last of two equal names, with or without
 * letter case, preferring `data` or `input`.
 */
function readings(members: readonly (readonly [string, unknown])[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const ordered of [members, members.toReversed()])
    for (const fold of [(name: string) => name, (name: string) => name.toLowerCase()])
      for (const [first, second] of [
        ['data', 'input'],
        ['input', 'data'],
      ] as const) {
        const last = new Map(ordered.map(([name, value]) => [fold(name), value]));
        const data = last.get(first) ?? last.get(second) ?? '0x';
        found.add(JSON.stringify([last.get('to') ?? null, data]).toLowerCase());
      }
  return found;
}

test('the gateway reads the same call as every parser, for all names, orders and repetitions of members', () => {
  const name = fc.constantFrom('to', 'data', 'input', 'To', 'DATA', 'Input', 'from', 'gas');
  const value = fc.oneof(
    fc.constantFrom<unknown>(targetContract, otherContract, otherContract.toUpperCase().replace('X', 'x')),
    fc.constantFrom<unknown>('0x', '0xa9059cbb', '0xA9059CBB00', '0x70a08231', null, 1, '0xa'),
  );
  let clear = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 5 }), (members) => {
      const text = `[{${members.map(([key, each]) => `${JSON.stringify(key)}:${JSON.stringify(each)}`).join(',')}}]`;
      const calls = read('eth_call', text);
      if (calls === 'unclear') return;
      clear++;
      const [all] = readings(members);
      expect(readings(members).size).toBe(1);
      const [to, data] = JSON.parse(all ?? '') as [string | null, string];
      const [call] = calls;
      expect(call?.to ?? null).toBe(to);
      if (to !== null) expect(call?.paddedSelector).toBe(data.slice(0, 10).padEnd(10, '0'));
    }),
    { numRuns: 4_000 },
  );
  expect(clear).toBeGreaterThan(200);
});

test('a message with more than a thousand calls is refused without reading the others (contract/firewall-resources#contracts)', () => {
  const many = (text: string, count: number) => Array(count).fill(text).join(',');
  const lists: readonly (readonly [string, (count: number) => string])[] = [
    ['eth_simulateV1', (count) => `[{"blockStateCalls":[{"calls":[${many('{}', count)}]}]}]`],
    ['eth_simulateV1', (count) => `[{"blockStateCalls":[${many('{}', count)}]}]`],
    [
      'eth_simulateV1',
      (count) => `[{"blockStateCalls":[${many(`{"calls":[${many('{}', 30)}]}`, Math.ceil(count / 31))}]}]`,
    ],
    ['eth_callMany', (count) => `[[${many('{"transactions":[]}', count)}]]`],
    ['eth_callMany', (count) => `[[{"transactions":[${many('{}', count)}]}]]`],
    ['trace_callMany', (count) => `[[${many('[{},["trace"]]', count)}],"latest"]`],
    ['trace_callMany', (count) => `[[${many('[]', count)}],"latest"]`],
    ['eth_call', (count) => `[{},${many('1', count)}]`],
  ];
  for (const [method, make] of lists) {
    expect([method, read(method, make(900))]).toEqual([method, expect.any(Array)]);
    const text = make(100_000);
    let bytes = 0;
    const watched = new Proxy(Buffer.from(text), {
      get(target, name) {
        if (typeof name === 'string' && /^\d+$/.test(name)) bytes++;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    expect([method, readContractCalls(method, watched, decodeRawTransaction)]).toEqual([method, 'unclear']);
    expect(bytes).toBeLessThan(100_000);
  }
});

test('a call object as clients write it is never unclear', () => {
  const hex = fc.uint8Array({ maxLength: 40 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`);
  const call = fc.record(
    {
      from: fc.constant(otherContract),
      to: fc.constantFrom(targetContract, null),
      data: hex,
      value: fc.constant('0x0'),
      accessList: fc.constant([{ address: otherContract, storageKeys: [] }]),
      gas: fc.nat(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(call, { maxLength: 4 }), fc.constantFrom(undefined, 1, '\t'), (calls, indent) => {
      const simulated = JSON.stringify(
        [{ blockStateCalls: [{ calls }, { blockOverrides: { a: [{}, '"', ']'] } }] }, 'latest'],
        null,
        indent,
      );
      const found = reached('eth_simulateV1', simulated);
      expect(new Set(found.map(({ to }) => to ?? null))).toEqual(new Set(calls.map(({ to }) => to ?? null)));
    }),
  );
});

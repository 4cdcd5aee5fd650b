/** What JSON-RPC errors of nodes and providers mean (contract/retries#errors). */

import { describe, expect, test } from 'bun:test';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { nodeErrors } from '../../../test/corpora/node-errors.ts';
import { nodeFaults } from '../port/node-faults.ts';
import { errorFacts, errorFault } from './error-faults.ts';

const faultOf = (error: unknown) => errorFault(rangeOf(JSON.stringify(error)));

describe('errors of real nodes and providers', () => {
  test.each(nodeErrors.map((each) => [`${each.from}: ${each.code} ${each.message}`, each] as const))(
    '%s',
    (_, { code, message, fault }) => {
      expect(faultOf({ code, message })).toBe(fault);
      expect(faultOf({ code, message, data: { message: 'internal error' } })).toBe(fault);
      expect(faultOf({ code, message: message.toUpperCase() })).toBe(fault);
    },
  );

  test('every row of errors has examples', () => {
    const rows = Object.entries(nodeFaults).flatMap(([fault, { isError }]) => (isError === true ? [fault] : []));
    expect(rows.length).toBe(7);
    const examples = (row: string) => nodeErrors.filter(({ fault }) => fault === row).length;
    expect(rows.filter((row) => examples(row) < 5)).toEqual([]);
  });
});

test('what a contract says in its revert, or a caller in its parameters, is never a reason to ask elsewhere or to rest a node', () => {
  for (const { message } of nodeErrors) {
    for (const quoted of [
      { code: 3, message: `execution reverted: ${message}` },
      { code: -32000, message: `execution reverted: ${message}` },
      { code: -32000, message: `Execution reverted (${message})` },
      { code: -32603, message: `VM Exception while processing transaction: revert ${message}` },
      { code: -32000, message: `${message} at step (<eval>:1:17(2))    in server-side tracer function 'step'` },
      { code: -32000, message: `SyntaxError: (anonymous): Line 1:3 Unexpected identifier ${message}` },
    ])
      expect([quoted, faultOf(quoted)]).toEqual([quoted, undefined]);
    // As Bitcoin Core quotes them, the last ones: `blockhash must be of length 64 (not 17, for 'too many requests')`.
    for (const code of [-32602, -32600, -32601, -3, -5, -8, -22, -25, -26]) {
      const fault = faultOf({ code, message: `a ${message}` });
      expect([message, fault === undefined ? 'nothing' : nodeFaults[fault].node]).toEqual([message, 'nothing']);
    }
  }
});

describe('long errors', () => {
  test('are classified by their first bytes, regardless of their data', () => {
    const data = `0x${'00'.repeat(100_000)}`;
    expect(faultOf({ code: 3, message: 'execution reverted', data })).toBeUndefined();
    expect(faultOf({ code: -32000, message: 'header not found', data })).toBe('unknown-block');
    expect(errorFault(rangeOf(`{ "code" : -32000 ,"message": "header not found","data":"${data}"}`))).toBe(
      'unknown-block',
    );
    expect(faultOf({ code: -32000, message: `${'x'.repeat(600)} header not found`, data })).toBeUndefined();
  });

  test('with data before the message speak of the call', () => {
    expect(faultOf({ data: '0'.repeat(5_000), code: -32603, message: 'Internal error' })).toBeUndefined();
  });

  test('cost no more time than short ones, however long', () => {
    const error = (length: number) =>
      rangeOf(`{"code":-32000,"message":"execution reverted","data":"${'0'.repeat(length)}"}`);
    const raws = [error(10_000), error(4_000_000)];
    const timesOf = (raw: (typeof raws)[number] | undefined) => {
      const started = performance.now();
      for (let nth = 0; nth < 500; nth++) if (raw !== undefined) errorFacts(raw);
      return performance.now() - started;
    };
    for (const raw of raws) timesOf(raw);
    const ratios = Array.from({ length: 5 }, () => timesOf(raws[1]) / timesOf(raws[0]));
    expect(Math.min(...ratios)).toBeLessThan(20);
  });
});

test('an error that is spelled in another order, or with escapes, is read as JSON', () => {
  expect(errorFault(rangeOf('{"message":"header not found","code":-32000}'))).toBe('unknown-block');
  expect(errorFault(rangeOf('{"data":null,"message":"x","code":-32603}'))).toBe('internal');
  expect(errorFacts(rangeOf('{"code":-32000,"message":"Header"}'))).toEqual({ code: -32000, message: 'header' });
});

import { expect, test } from 'bun:test';
import { CliProblem } from '../cli-problem.ts';
import { batchBody, callBody, callBodyOf } from './rpc-body.ts';

test('a parameter is parsed as JSON with its exact digits if possible, and is a string otherwise', () => {
  const typed = ['0xAbc', 'latest', 'true', '12345678901234567890123', '{"a":1.0}', '"7"', '', 'a"b', '-1'];
  expect(callBody('eth_x', typed)).toBe(
    '{"jsonrpc":"2.0","id":1,"method":"eth_x","params":["0xAbc","latest",true,12345678901234567890123,{"a":1.0},"7","","a\\"b",-1]}',
  );
  expect(callBodyOf('m', '{"named":1}')).toContain('"params":{"named":1}}');
  for (const params of ['1', '"x"', 'null', 'x', '']) expect(() => callBodyOf('m', params)).toThrow(CliProblem);
});

test('a batch is an unchanged array, or one call per line with defaults for missing members', () => {
  expect(batchBody(' [{"jsonrpc":"2.0","id":1,"method":"m"}]\n')).toBe('[{"jsonrpc":"2.0","id":1,"method":"m"}]');
  const lines = '{"method":"a"}\n\r\n{"id":"x","jsonrpc":"2.0","method":"b","params":[1e400]}\r\n';
  expect(batchBody(lines)).toBe(
    '[{"jsonrpc":"2.0","id":1,"method":"a"},{"id":"x","jsonrpc":"2.0","method":"b","params":[1e400]}]',
  );
  for (const text of ['', '[]', '[', '{"method":"a"}\nnonsense', '{"params":[]}', 'null']) {
    expect(() => batchBody(text)).toThrow(CliProblem);
  }
  expect(() => batchBody('{"method":"a"}\n\nnonsense')).toThrow('line 3 is not a call');
});

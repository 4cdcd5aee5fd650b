/** The JSON-RPC body for typed parameters: JSON values retain their exact digits and whitespace. */

import { CliProblem } from '../cli-problem.ts';

/** Each parameter is a JSON value if it can be parsed, and a string otherwise: `0xabc`, `latest`, `true`, `[1,2]`, `'{"a":1}'`. */
export function callBody(method: string, params: readonly string[]): string {
  return message('1', method, `[${params.map(jsonOf).join(',')}]`);
}

/** `params` is the JSON of an array or an object. Throws `CliProblem` for anything else. */
export function callBodyOf(method: string, params: string): string {
  const parsed = parse(params);
  if (typeof parsed !== 'object' || parsed === null)
    throw new CliProblem('usage', '--params must be a JSON array or object');
  return message('1', method, params);
}

/**
 * A batch: a JSON array is sent unchanged; otherwise each line is a call, and `jsonrpc` and `id` are optional. Throws `CliProblem` with the number of an
 * invalid line.
 */
export function batchBody(text: string): string {
  if (text.trimStart().startsWith('[')) {
    const calls = parse(text);
    if (!Array.isArray(calls) || calls.length === 0)
      throw new CliProblem('usage', 'the array is invalid JSON or empty');
    return text.trim();
  }
  const lines = text.split('\n');
  const calls = lines.flatMap((line, at) => (line.trim() === '' ? [] : [lineCall(line.trim(), at + 1)]));
  if (calls.length === 0) throw new CliProblem('usage', 'standard input contains no call');
  return `[${calls.join(',')}]`;
}

function lineCall(line: string, number: number): string {
  const call = parse(line);
  if (typeof call !== 'object' || call === null || !('method' in call) || typeof call.method !== 'string')
    throw new CliProblem(
      'usage',
      `line ${number} is not a call`,
      'A call is {"method":"eth_blockNumber","params":[]}.',
    );
  const missing = [...('jsonrpc' in call ? [] : ['"jsonrpc":"2.0"']), ...('id' in call ? [] : [`"id":${number}`])];
  return missing.length === 0 ? line : `{${missing.join(',')},${line.slice(1)}`;
}

function message(id: string, method: string, params: string): string {
  return `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${params}}`;
}

function jsonOf(param: string): string {
  return parse(param) === undefined ? JSON.stringify(param) : param.trim();
}

/** `undefined` for a text that is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

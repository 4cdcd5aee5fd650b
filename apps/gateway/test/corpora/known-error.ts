/** A JSON-RPC error of a node or provider, classified by hand. */

import type { ErrorFault } from '../../src/upstream/port/node-faults.ts';

export type KnownError = {
  readonly from: string;
  readonly code: number;
  readonly message: string;
  /** Undefined: the error is about the call. */
  readonly fault: ErrorFault | undefined;
};

/** `lines`: source, code and message of one error each, separated by bars. */
export function errors(fault: ErrorFault | undefined, lines: string): readonly KnownError[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [from = '', code = '', ...message] = line.trim().split(' | ');
      return { from, code: Number(code), message: message.join(' | '), fault };
    });
}

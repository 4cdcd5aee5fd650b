/** Reads standard input as text, up to a bound. */

import { CliProblem } from './cli-problem.ts';
import type { CliRuntime } from './runtime.ts';

/** Stops reading above `maxBytes` and throws `CliProblem`; also throws for bytes that are not UTF-8. */
export async function textOfStdin({ bytes }: CliRuntime['stdin'], maxBytes: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of bytes()) {
    length += piece.length;
    if (length > maxBytes) throw new CliProblem('usage', `standard input is larger than ${maxBytes} bytes`);
    pieces.push(piece);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces));
  } catch {
    throw new CliProblem('usage', 'standard input is not UTF-8 text');
  }
}

/** Standard input as a text, as much of it as a command may need. */

import { CliProblem } from './cli-problem.ts';
import type { CliSurroundings } from './surroundings.ts';

/** Stops reading beyond `mostBytes` and throws `CliProblem`; so it does for bytes that are no UTF-8. */
export async function textOfStdin({ bytes }: CliSurroundings['stdin'], mostBytes: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of bytes()) {
    length += piece.length;
    if (length > mostBytes) throw new CliProblem('usage', `standard input is larger than ${mostBytes} bytes`);
    pieces.push(piece);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces));
  } catch {
    throw new CliProblem('usage', 'standard input is not UTF-8 text');
  }
}

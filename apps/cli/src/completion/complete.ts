/** `flowgate complete SHELL -- WORDS`, called by the completion scripts: prints one line for each candidate, with value and description separated by a tab. */

import { createCli } from '../create-cli.ts';
import { addCommands, createProgram } from '../create-program.ts';
import type { CliRuntime } from '../runtime.ts';
import { candidates } from './candidates.ts';
import { type Shell, shells } from './shell-scripts.ts';

/** The exit code; 2 for arguments that no completion script sends. */
export async function complete(args: readonly string[], runtime: CliRuntime): Promise<number> {
  const [named, dashes, ...words] = args;
  const shell = shells.find((each) => each === named);
  if (shell === undefined || dashes !== '--') return 2;
  const typed = shell === 'bash' ? rejoined(words) : words;
  // Uses the gateway and the profile in the completed line.
  const cli = createCli(runtime, () => ({ color: false, ...namedIn(typed) }));
  const program = createProgram();
  await addCommands(program, cli, (name) => typed.includes(name));
  const found = await candidates(program, cli, typed);
  const lines = found.map(({ value, description = '' }) => `${inShell(shell, value)}\t${description}\n`);
  await runtime.stdout.write(lines.join(''));
  return 0;
}

function namedIn(words: readonly string[]): { readonly profile?: string; readonly url?: string } {
  const valueFor = (option: string) => {
    const at = words.lastIndexOf(option, -2);
    const inline = words.slice(0, -1).findLast((word) => word.startsWith(`${option}=`));
    return at >= 0 ? words[at + 1] : inline?.slice(option.length + 1);
  };
  const [profile, url] = [valueFor('--profile'), valueFor('--url')];
  return { ...(profile === undefined ? {} : { profile }), ...(url === undefined ? {} : { url }) };
}

/** Bash treats `=` as a separate word. */
function rejoined(words: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const [at, word] of words.entries()) {
    const isValue = words[at - 1] === '=' && words[at - 2]?.startsWith('--') === true;
    if ((word === '=' && words[at - 1]?.startsWith('--') === true) || isValue)
      joined.push(`${joined.pop() ?? ''}${word}`);
    else joined.push(word);
  }
  return joined;
}

/** Bash expects only the value after `=`. */
function inShell(shell: Shell, value: string): string {
  return shell === 'bash' && value.startsWith('--') && value.includes('=')
    ? value.slice(value.indexOf('=') + 1)
    : value;
}

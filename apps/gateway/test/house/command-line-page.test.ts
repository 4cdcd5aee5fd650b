/** docs/command-line.md shows what each command's `--help` says, and every command has examples there. */

import { expect, test } from 'bun:test';
import { createCli } from '../../../cli/src/create-cli.ts';
import { addCommands, createProgram } from '../../../cli/src/create-program.ts';
import { userCommands } from '../../../cli/src/user-commands.ts';
import { surroundingsFor } from '../fixtures/run-cli.ts';
import { expectPart } from './document-part.ts';

type Command = ReturnType<typeof createProgram>;

const program = createProgram().configureHelp({ helpWidth: 100 });
await addCommands(
  program,
  createCli(surroundingsFor('/nonexistent'), () => ({ color: false })),
  () => true,
);

const shown = program.createHelp().visibleCommands(program);

/** Commands that do something, with those below them. */
function leaves(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (piece) => (text += piece) });
  command.outputHelp();
  // The options of every command are told once.
  return text.replace(/\nGlobal Options:\n(?: .*\n)+/, '').trim();
}

test('the commands on the page are those of --help (command-line#commands)', async () => {
  const sections = shown.map((command) => {
    const texts = (command.commands.length === 0 ? [command] : command.commands).map(helpOf);
    return `### ${command.name()}\n\n${command.description()}\n\n\`\`\`\n${texts.join('\n\n')}\n\`\`\``;
  });
  expect(sections.length).toBe(userCommands.length);
  await expectPart('command-line.md', 'commands', sections.join('\n\n'));
});

test('every command says what it does and shows how it is called', () => {
  const all = shown.flatMap(leaves);
  expect(all.filter((command) => !/^[A-Z].*\.$/.test(command.description())).map((each) => each.name())).toEqual([]);
  const without = shown.filter(
    (command) => ![command, ...leaves(command)].some((each) => helpOf(each).includes('\nExamples:\n')),
  );
  expect(without.map((command) => command.name())).toEqual([]);
  for (const command of all)
    for (const line of helpOf(command)
      .split('\n')
      .filter((each) => each.startsWith('  flowgate ')))
      expect(userCommands.some(({ name }) => line.startsWith(`  flowgate ${name}`))).toBe(true);
});

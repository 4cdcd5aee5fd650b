/**
 * docs/reference/command-line.md is generated from the `--help` of every command and has examples of every user
 * command.
 */

import { expect, test } from 'bun:test';
import { commandNames, commandUsage, usage } from '../../apps/cli/src/command-usage.ts';
import { createCli } from '../../apps/cli/src/create-cli.ts';
import { addCommands, createProgram } from '../../apps/cli/src/create-program.ts';
import { userCommands } from '../../apps/cli/src/user-commands.ts';
import { runtimeFor } from '../../apps/gateway/test/fixtures/run-cli.ts';
import { expectPage, page, referencePage, table } from './doc-pages.ts';

type Command = ReturnType<typeof createProgram>;

const program = createProgram().configureHelp({ helpWidth: 100 });
await addCommands(
  program,
  createCli(runtimeFor('/nonexistent'), () => ({ color: false })),
  () => true,
);

const shown = program.createHelp().visibleCommands(program);

/** Executable commands, with their subcommands. */
function leaves(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (piece) => (text += piece) });
  command.outputHelp();
  // Options that all commands share are listed once.
  return text.replace(/\nGlobal Options:\n(?: .*\n)+/, '').trim();
}

const fenced = (text: string, language = '') => `\`\`\`${language}\n${text.trim()}\n\`\`\``;

function userSections(): readonly string[] {
  return shown.map((command) => {
    const texts = (command.commands.length === 0 ? [command] : command.commands).map(helpOf);
    return `### ${command.name()}\n\n${fenced(texts.join('\n\n'))}`;
  });
}

/** The session that scripts/record-command-line.mjs recorded. */
async function recording(): Promise<string> {
  const found = /<!-- recording -->\n[\s\S]*<!-- \/recording -->/.exec(await page('reference/command-line.md'));
  if (found === null) throw new Error('the page has no recording');
  return found[0];
}

test('the page is generated from --help of every command', async () => {
  expect(userSections().length).toBe(userCommands.length);
  const operatorSections = commandNames.map((name) => `### ${name}\n\n${fenced(commandUsage[name])}`);
  await expectPage(
    'reference/command-line.md',
    referencePage(
      'Command line',
      '`npx flowgate` in the repository, `flowgate` where it is installed.',
      fenced(usage),
      '## Commands for users',
      table(
        ['Option of every command', 'Meaning'],
        program.options.map(({ flags, description }) => [`\`${flags}\``, description]),
      ),
      ...userSections(),
      '## Commands for operators',
      ...operatorSections,
      '## A session',
      'Recorded by `npx bun scripts/record-command-line.mjs` with the gateway that `npm start` runs. Secrets are masked.',
      await recording(),
    ),
  );
});

test('every command has a description and examples', () => {
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

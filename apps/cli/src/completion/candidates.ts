/** Completion candidates for a command line: commands, options, and values from the gateway. */

import { settledWithin } from '@flowgate/async/bounded-waits';
import type { Argument, Command, Option } from 'commander';
import type { Cli } from '../cli.ts';
import { plainText } from '../output/plain-text.ts';
import { type Offered, type OfferSource, offeredBy } from './offers.ts';
import { profileNames } from './value-sources.ts';

/** Maximum wait for the gateway after the tabulator key. */
const patienceMs = 2_000;
/** A shell inserts a value into a command line: names from a gateway must contain no characters with a meaning in shells. */
const harmless = /^[\w./@+-]{1,200}$/;

type Place = {
  readonly command: Command;
  /** Positional words before the last one. */
  readonly positionals: number;
  readonly given: readonly string[];
  /** The option whose value the last word is. */
  readonly option: Option | undefined;
  /** `--` occurred: later words are not options. */
  readonly isLiteral: boolean;
};

/**
 * `words`: those after `flowgate`; the last one may be incomplete. Returns the candidates that start with it; descriptions contain no line breaks and tabs.
 * Never throws.
 */
export async function candidates(program: Command, cli: Cli, words: readonly string[]): Promise<readonly Offered[]> {
  const current = words.at(-1) ?? '';
  const place = placeOf(program, words.slice(0, -1));
  const [name = '', ...value] = current.split('=');
  if (!place.isLiteral && place.option === undefined && name.startsWith('--') && current.includes('=')) {
    const option = optionsOf(program, place.command).find(({ long }) => long === name);
    const found = option === undefined ? [] : await valuesOf(cli, place.command, option);
    return matching(found, value.join('=')).map((each) => ({ ...each, value: `${name}=${each.value}` }));
  }
  return matching(await nextWords(program, cli, place, current), current);
}

async function nextWords(program: Command, cli: Cli, place: Place, current: string): Promise<readonly Offered[]> {
  const { command, option, isLiteral, positionals } = place;
  if (option !== undefined) return valuesOf(cli, command, option);
  if (!isLiteral && current.startsWith('-')) return optionNames(program, place);
  if (command.commands.length > 0)
    return command
      .createHelp()
      .visibleCommands(command)
      .map((each) => ({ value: each.name(), description: each.summary() || each.description() }));
  const { registeredArguments } = command;
  const last = registeredArguments.at(-1);
  const argument = registeredArguments[positionals] ?? (last?.variadic ? last : undefined);
  return argument === undefined ? [] : offered(cli, argument, offeredBy(command, argument.name()));
}

function placeOf(program: Command, words: readonly string[]): Place {
  let place: Place = { command: program, positionals: 0, given: [], option: undefined, isLiteral: false };
  for (const word of words) {
    const { command, option, isLiteral, given, positionals } = place;
    if (option !== undefined) place = { ...place, option: undefined };
    else if (isLiteral) place = { ...place, positionals: positionals + 1 };
    else if (word === '--') place = { ...place, isLiteral: true };
    else if (word.startsWith('-')) {
      const found = optionsOf(program, command).find(({ long, short }) => long === word || short === word);
      const takesNext = found?.required === true || found?.optional === true;
      place = { ...place, given: [...given, word.split('=')[0] ?? word], option: takesNext ? found : undefined };
    } else {
      const next = command.commands.find((each) => each.name() === word);
      place = next === undefined ? { ...place, positionals: positionals + 1 } : { ...place, command: next };
    }
  }
  return place;
}

function optionsOf(program: Command, command: Command): readonly Option[] {
  return command === program ? program.options : [...command.options, ...program.options];
}

function optionNames(program: Command, { command, given }: Place): readonly Offered[] {
  const names = optionsOf(program, command).flatMap(({ long, description, hidden }) =>
    long == null || hidden || given.includes(long) ? [] : [{ value: long, description }],
  );
  return [...names, { value: '--help', description: 'what the command does and takes' }];
}

function valuesOf(cli: Cli, command: Command, option: Option): Promise<readonly Offered[]> {
  const own = option.long === '--profile' ? profileNames : undefined;
  return offered(cli, option, offeredBy(command, option.long ?? '') ?? own);
}

async function offered(
  cli: Cli,
  slot: Argument | Option,
  source: OfferSource | undefined,
): Promise<readonly Offered[]> {
  if (slot.argChoices !== undefined) return slot.argChoices.map((value) => ({ value }));
  if (source === undefined) return [];
  try {
    const found = await settledWithin(patienceMs, Promise.resolve(source(cli)), []);
    // Such a value would be parsed as an option.
    return found.filter(({ value }) => !value.startsWith('-'));
  } catch {
    return [];
  }
}

function matching(found: readonly Offered[], current: string): readonly Offered[] {
  return found
    .filter(({ value }) => value.startsWith(current) && harmless.test(value))
    .map(({ value, description = '' }) => ({ value, description: plainText(description).slice(0, 100) }));
}

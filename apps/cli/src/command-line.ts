/** Parses the arguments of `flowgate` into a command or a usage error. */

import { parseArgs } from 'node:util';
import type { OperatorCommand } from '@flowgate/gateway/operator-command';
import { type CommandName, commandNames } from './command-usage.ts';
import { userArguments } from './user-commands.ts';

export type Command =
  | OperatorCommand
  /** A command for users; `args` are read by `runCli`. */
  | { readonly kind: 'user'; readonly args: readonly string[] }
  | { readonly kind: 'version'; readonly json: boolean }
  /** `about` is absent for the whole. */
  | { readonly kind: 'help'; readonly about: CommandName | undefined }
  /** `problem` is one line. */
  | { readonly kind: 'misused'; readonly problem: string; readonly about: CommandName | undefined };

const options = {
  config: { type: 'string', short: 'c' },
  from: { type: 'string' },
  to: { type: 'string' },
  chain: { type: 'string' },
  json: { type: 'boolean' },
  online: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;
type OptionName = keyof typeof options;

/** Options of each command, besides `--help`. */
const optionsOf: Readonly<Record<CommandName, readonly OptionName[]>> = {
  start: ['config'],
  'check-config': ['config', 'json', 'online'],
  healthcheck: ['config'],
  'migrate-data': ['from', 'to', 'json'],
  'verify-audit': ['config', 'json'],
  reindex: ['config', 'from', 'chain', 'json'],
};

export function parseCommand(args: readonly string[]): Command {
  const forUsers = userArguments(args);
  if (forUsers !== undefined) return { kind: 'user', args: forUsers };
  const parsed = parse(args);
  const [name, ...rest] = parsed.positionals;
  const about = commandNames.find((each) => each === name);
  const misused = (problem: string): Command => ({ kind: 'misused', problem: shown(problem), about });
  if (parsed.problem !== undefined) return misused(parsed.problem);
  const { values } = parsed;
  const json = values.json === true;

  if (name === 'help') return helpOn(rest, misused);
  if (values.help === true && (name === undefined || about !== undefined)) return { kind: 'help', about };
  if (values.version === true && name === undefined) return { kind: 'version', json };
  if (name === undefined) return misused('a command is missing');
  if (about === undefined) return misused(`there is no command ${name}`);
  const foreign = parsed.given.find((option) => !optionsOf[about].includes(option));
  if (foreign !== undefined) return misused(`${about} has no option --${foreign}`);

  if (about === 'migrate-data') {
    const { from, to } = values;
    if (from === undefined || to === undefined || rest.length > 0)
      return misused('migrate-data needs --from DATABASE and --to DATABASE, and nothing else');
    return { kind: about, from, to, json };
  }
  if (about === 'reindex') {
    const [target] = rest;
    const { config: configFile, chain } = values;
    const from = /^\d{1,15}$/.test(values.from ?? '') ? Number(values.from) : undefined;
    if (target === undefined || rest.length > 1 || configFile === undefined || configFile === '')
      return misused('reindex needs one BRIDGE, --from BLOCK and --config FILE');
    if (from === undefined) return misused('--from needs the number of a block');
    if (chain !== undefined && chain !== 'l1' && chain !== 'l2') return misused('--chain is l1 or l2');
    return { kind: about, configFile, target, from, chain, json };
  }
  const files = values.config === undefined ? rest : [values.config, ...rest];
  const [configFile] = files;
  if (configFile === undefined || configFile === '') return misused(`${about} needs a configuration file`);
  if (files.length > 1) return misused(`${about} takes one configuration file`);
  if (about === 'check-config') return { kind: about, configFile, json, online: values.online === true };
  return about === 'verify-audit' ? { kind: about, configFile, json } : { kind: about, configFile };
}

function helpOn(names: readonly string[], misused: (problem: string) => Command): Command {
  const [name] = names;
  const about = commandNames.find((each) => each === name);
  if (names.length > 1 || (name !== undefined && about === undefined))
    return misused(`there is no help on ${names.join(' ')}`);
  return { kind: 'help', about };
}

/** Parsed leniently and then checked here: Node.js' own messages take three lines and suggest options that no command has. */
function parse(args: readonly string[]) {
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    allowPositionals: true,
    strict: false,
    tokens: true,
    options,
  });
  const given: OptionName[] = [];
  let problem: string | undefined;
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const name = Object.keys(options).find((each): each is OptionName => each === token.name);
    const { rawName, value } = token;
    const wantsValue = name !== undefined && options[name].type === 'string';
    if (name === undefined) problem ??= `there is no option ${rawName}`;
    else if (given.includes(name)) problem ??= `${rawName} is given twice`;
    else if (wantsValue && (value === undefined || (!token.inlineValue && value.startsWith('-'))))
      problem ??= `${rawName} needs a value`;
    else if (!wantsValue && value !== undefined) problem ??= `${rawName} takes no value`;
    if (name !== undefined) given.push(name);
  }
  const textOf = (value: string | boolean | undefined) => (typeof value === 'string' ? value : undefined);
  return {
    positionals,
    given,
    problem,
    values: {
      ...values,
      config: textOf(values.config),
      from: textOf(values.from),
      to: textOf(values.to),
      chain: textOf(values.chain),
    },
  };
}

/** An argument may be long or contain line breaks: the message remains one line. */
function shown(problem: string): string {
  const line = problem.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

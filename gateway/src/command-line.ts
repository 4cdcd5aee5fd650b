/** The command line: what was asked for, or what is wrong with the asking. */

import { parseArgs } from 'node:util';

export type Command =
  | { readonly kind: 'start' | 'check-config'; readonly configFile: string }
  | { readonly kind: 'migrate-data'; readonly from: string; readonly to: string }
  | { readonly kind: 'help' | 'version' }
  | { readonly kind: 'misused'; readonly problem: string };

export const usage = `Flowgate, the gateway in front of blockchains.

Usage:
  flowgate start --config FILE     start the gateway
  flowgate check-config FILE       check a configuration, listing all its problems
  flowgate migrate-data --from DATABASE --to DATABASE
                                   copy everything durable to another database, and prove it equal
  flowgate --help                  show this help
  flowgate --version               show the version

DATABASE is sqlite:FILE or postgres://USER:PASSWORD@HOST:PORT/NAME, or '\${NAME}' for an environment
variable that holds one, which keeps the password out of the list of processes. Stop every
gateway on the source first; a run that was cut off is started again and goes on.

The configuration is YAML; in any scalar \${NAME} stands for an environment variable and
\${NAME:-default} for one with a default. docs/configuration.md lists every key.

The gateway is ready when GET /readyz answers 200. SIGTERM or SIGINT drains it: calls in
flight finish, new ones get 503; a second signal ends it at once.

Exit codes: 0 ended as asked, 1 could not start or had to cut calls off, 2 wrong usage or configuration.
`;

export function parseCommand(args: readonly string[]): Command {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (error) {
    return { kind: 'misused', problem: error instanceof Error ? error.message : 'the arguments cannot be read' };
  }
  const { values, positionals } = parsed;
  const [name, ...rest] = positionals;
  if (values.help === true || name === 'help') return { kind: 'help' };
  if (values.version === true) return { kind: 'version' };
  if (name === undefined) return { kind: 'misused', problem: 'a command is missing' };
  if (name === 'migrate-data') {
    if (values.from === undefined || values.to === undefined || rest.length > 0)
      return { kind: 'misused', problem: 'migrate-data needs --from DATABASE and --to DATABASE' };
    return { kind: name, from: values.from, to: values.to };
  }
  if (name !== 'start' && name !== 'check-config') return { kind: 'misused', problem: `there is no command ${name}` };
  if (values.from !== undefined || values.to !== undefined)
    return { kind: 'misused', problem: '--from and --to belong to migrate-data' };
  const files = values.config === undefined ? rest : [values.config, ...rest];
  const [configFile] = files;
  if (configFile === undefined) return { kind: 'misused', problem: `${name} needs a configuration file` };
  if (files.length > 1) return { kind: 'misused', problem: `${name} takes one configuration file` };
  return { kind: name, configFile };
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      config: { type: 'string', short: 'c' },
      from: { type: 'string' },
      to: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'v' },
    },
  });
}

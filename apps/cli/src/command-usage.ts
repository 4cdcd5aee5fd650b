/** What `--help` prints: for the whole, and for each command. */

import { userCommands } from './user-commands.ts';

export const commandNames = [
  'start',
  'check-config',
  'healthcheck',
  'migrate-data',
  'verify-audit',
  'reindex',
] as const;
export type CommandName = (typeof commandNames)[number];

export const usage = `Flowgate, the gateway in front of blockchains.

For users of a gateway (docs/command-line.md):
${userLines()}

For operators:
  flowgate start --config FILE     start the gateway
  flowgate check-config FILE       check a configuration, listing all its problems
  flowgate healthcheck FILE        ask the gateway on this machine whether it runs
  flowgate migrate-data --from DATABASE --to DATABASE
                                   copy everything durable to another database, and prove it equal
  flowgate verify-audit --config FILE
                                   find what was changed in, added to or removed from the audit log
  flowgate reindex BRIDGE --from BLOCK --config FILE
                                   read a bridge's blocks again, beside running gateways
  flowgate COMMAND --help          show what a command does and takes
  flowgate --version               show the version

--json, with every command but start and healthcheck, and with --version: one JSON object on standard output.
Exit codes: 0 ended as asked; 1 refused, could not start or had to cut calls off; 2 wrong usage or
configuration; 3 the gateway cannot be reached.
`;

function userLines(): string {
  return userCommands.map(({ name, summary }) => `  flowgate ${name.padEnd(24)}${summary}`).join('\n');
}

const configuration = `The configuration is YAML; in any scalar \${NAME} stands for an environment variable and
\${NAME:-default} for one with a default. docs/configuration.md lists every key.
`;

export const commandUsage: Readonly<Record<CommandName, string>> = {
  start: `Start the gateway.

Usage:
  flowgate start --config FILE

  -c, --config FILE    the configuration; FILE alone does, too
  -h, --help           show this help

${configuration}
The gateway is ready when GET /readyz answers 200. It logs to standard output, a JSON object a line.
SIGTERM or SIGINT drains it: calls in flight finish, new ones get 503; a second signal ends it at once.
SIGHUP looks at the certificate's files at once; with server.workers it reads the configuration again and
replaces the workers one after another without losing a call. On a terminal it drains, as SIGTERM does.

Exit codes: 0 drained, 1 could not start or had to cut calls off, 2 wrong usage or configuration.
`,
  'check-config': `Check a configuration without starting anything: what start would refuse, what is unsafe, and, as
warnings, what is legal and unwise. All of it, each with its path.

Usage:
  flowgate check-config FILE [--online] [--json]

  -c, --config FILE    the same as FILE
      --online         also ask the networks of bridges and pools whether the contracts are what the
                       file says; a network that nobody answers for is a problem
      --json           { "file", "valid", "problems": [{ "path", "message" }], "warnings": [likewise] }
  -h, --help           show this help

${configuration}
Variables that the file names have to be set as they will be for start.

Exit codes: 0 valid, with or without warnings; 2 wrong usage, or invalid, or the file cannot be read.
`,
  healthcheck: `Ask the gateway on this machine whether it runs: GET /healthz, at the port and with or without TLS as
its configuration says. For health checks of containers.

Usage:
  flowgate healthcheck FILE

  -c, --config FILE    the same as FILE
  -h, --help           show this help

${configuration}
Exit codes: 0 it answers 200, 1 it does not within 3 seconds, 2 wrong usage or configuration.
`,
  'migrate-data': `Copy everything durable to another database, and prove both equal by counts and checksums.

Usage:
  flowgate migrate-data --from DATABASE --to DATABASE [--json]

      --from DATABASE  what is copied; it is only read
      --to DATABASE    an empty database, or one that an interrupted run began to fill
      --json           { "equal", "tables": [{ "table", "rows", "checksum" }] } on standard output
  -h, --help           show this help

DATABASE is sqlite:FILE or postgres://USER:PASSWORD@HOST:PORT/NAME, or '\${NAME}' for an environment
variable that holds one, which keeps the password out of the list of processes. Stop every
gateway on the source first; a run that was cut off is started again and goes on.

Exit codes: 0 both are equal, 1 they are not, or a database cannot be used, 2 wrong usage.
`,
  'verify-audit': `Check the audit log of the configured database: that no entry was changed, removed, inserted or
reordered, and no end cut off. Gateways of the same version may be running; like a start, it brings
an older schema up to date.

Usage:
  flowgate verify-audit --config FILE [--json]

  -c, --config FILE    the configuration; FILE alone does, too
      --json           { "sound", "chains", "entries", "fault"?: { "chainId", "sequence", "auditId"?,
                       "problem" } } on standard output
  -h, --help           show this help

${configuration}
Without --json it prints the end of each chain. Keep them apart from the database: who may write to
it could write whole chains anew, and then the ends differ.

Exit codes: 0 sound, 1 broken (the first broken entry is named) or the database cannot be used,
2 wrong usage or configuration.
`,
  reindex: `Have blocks of a bridge, or of the pools of a network, read again: for when nodes told something
wrong. The gateway that leads does it; this command only asks for it, and gateways may be running.

Usage:
  flowgate reindex BRIDGE --from BLOCK --config FILE [--chain l1|l2] [--json]

  BRIDGE               a bridgeId, or swaps/DLT/NETWORKID for the pools of a network
      --from BLOCK     the first block that is read again; the reading may begin up to 1,024 blocks
                       below it. 0 reads everything from the start on
      --chain l1|l2    of a bridge: only this chain; otherwise both, each from its own BLOCK on
  -c, --config FILE    the configuration
      --json           { "streams": [{ "streamId", "from" }] } on standard output
  -h, --help           show this help

${configuration}
What is stored stays visible until its block is read again: what is found again keeps its id, what is
not is lost as in a reorganisation. Follow it with GET /admin/indexers.

Exit codes: 0 asked for, 1 the database cannot be used, or nothing was read yet, 2 wrong usage or
configuration, or no such bridge.
`,
};

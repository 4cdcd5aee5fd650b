/** The output of `--help`, in general and for each command. */

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

For users of a gateway:
${userLines()}

For operators:
  flowgate start --config FILE     start the gateway
  flowgate check-config FILE       check a configuration and list all its problems
  flowgate healthcheck FILE        check whether the gateway on this machine runs
  flowgate migrate-data --from DATABASE --to DATABASE
                                   copy all durable data to another database, and compare both
  flowgate verify-audit --config FILE
                                   find changed, added and removed entries of the audit log
  flowgate reindex BRIDGE --from BLOCK --config FILE
                                   read the blocks of a bridge again
  flowgate COMMAND --help          show the arguments and options of a command
  flowgate --version               show the version

User commands call the gateway of --profile, --url, FLOWGATE_URL or the current profile, in this order.
Environment variables:
  FLOWGATE_URL        address of the gateway
  FLOWGATE_TOKEN      access token for FLOWGATE_URL; used instead of that of a profile
  FLOWGATE_API_KEY    API key for FLOWGATE_URL; used instead of that of a profile
  XDG_CONFIG_HOME     parent of the directory \`flowgate\` with profiles and credentials; default:
                      ~/.config, on macOS ~/Library/Application Support, on Windows %APPDATA%
  NO_COLOR            no colors; TERM=dumb and --no-color do the same

--json, with every command except start and healthcheck, and with --version: one JSON object on standard
output. Errors of user commands are { "error": { "kind", "message", "status"?, "requestId"?, "retryAfter"? } }
on standard error.
Exit codes: 0 success; 1 refused, could not start, or calls in flight were cut off; 2 wrong usage or
configuration; 3 the gateway is unreachable; 130 ended by Ctrl-C.
`;

function userLines(): string {
  return userCommands.map(({ name, summary }) => `  flowgate ${name.padEnd(24)}${summary}`).join('\n');
}

const configuration = `The configuration is YAML; in any value \${NAME} is replaced by an environment variable, and
\${NAME:-default} by its value or the default. docs/reference/configuration.md
lists every setting.
`;

export const commandUsage: Readonly<Record<CommandName, string>> = {
  start: `Start the gateway.

Usage:
  flowgate start --config FILE

  -c, --config FILE    the configuration; --config may be omitted
  -h, --help           show this help

${configuration}
The gateway is ready when GET /readyz answers 200. It logs one JSON object per line to standard
output. SIGTERM or SIGINT drains it: calls in flight finish, new ones receive 503. A second signal ends it
at once. SIGHUP reads the certificate files again; with server.workers it reads the configuration again and
replaces the workers one after another without losing a call. On a terminal SIGHUP drains as well.

Exit codes: 0 drained, 1 could not start or calls were cut off, 2 wrong usage or configuration.
`,
  'check-config': `Check a configuration without starting anything. Problems are what start refuses or what is unsafe;
warnings are valid but inadvisable settings. All are listed, each with its path.

Usage:
  flowgate check-config FILE [--online] [--json]

  -c, --config FILE    the same as FILE
      --online         also read the contracts of bridges and pools from their networks; a network
                       that no node answers for is a problem
      --json           { "file", "valid", "problems": [{ "path", "message" }], "warnings": [likewise] }
  -h, --help           show this help

${configuration}
Set the environment variables that the file uses as for start.

Exit codes: 0 valid, with or without warnings; 2 wrong usage, an invalid file or an unreadable one.
`,
  healthcheck: `Check whether the gateway on this machine runs: GET /healthz, at the port and with or without TLS as
configured. For health checks of containers.

Usage:
  flowgate healthcheck FILE

  -c, --config FILE    the same as FILE
  -h, --help           show this help

${configuration}
Exit codes: 0 it answers 200, 1 it does not answer 200 within 3 seconds, 2 wrong usage or configuration.
`,
  'migrate-data': `Copy all durable data to another database, and compare both by counts and checksums.

Usage:
  flowgate migrate-data --from DATABASE --to DATABASE [--json]

      --from DATABASE  the source; it is only read
      --to DATABASE    an empty database, or the target of an interrupted run
      --json           { "equal", "tables": [{ "table", "rows", "checksum" }] } on standard output
  -h, --help           show this help

DATABASE is sqlite:FILE or postgres://USER:PASSWORD@HOST:PORT/NAME, or '\${NAME}' for an environment
variable that contains one, so that the process list does not show the password. Stop all gateways on
the source first. Repeat the command to resume an interrupted run.

Exit codes: 0 both are equal, 1 they differ, or a database is unusable, 2 wrong usage.
`,
  'verify-audit': `Check that no entry of the audit log was changed, removed, inserted or reordered, and that no chain
was truncated. Gateways of the same version may be running; like start, this command migrates an
older schema.

Usage:
  flowgate verify-audit --config FILE [--json]

  -c, --config FILE    the configuration; --config may be omitted
      --json           { "sound", "chains", "entries", "fault"?: { "chainId", "sequence", "auditId"?,
                       "problem" } } on standard output
  -h, --help           show this help

${configuration}
It prints the end of each chain. Store the output apart from the database: a writer of the database
could rewrite whole chains, but then the ends differ.

Exit codes: 0 sound, 1 broken (the output names the first broken entry) or the database is unusable,
2 wrong usage or configuration.
`,
  reindex: `Have the blocks of a bridge, or of the pools of a network, read again, for example after nodes reported
wrong data. The leading gateway reads them; this command only requests it, while gateways run.

Usage:
  flowgate reindex BRIDGE --from BLOCK --config FILE [--chain l1|l2] [--json]

  BRIDGE               a bridgeId, or swaps/DLT/NETWORKID for the pools of a network
      --from BLOCK     the first block to read again; reading may begin up to 1,024 blocks below it.
                       0 reads everything from the start
      --chain l1|l2    of a bridge: only this chain; default: both, each from its own BLOCK
  -c, --config FILE    the configuration
      --json           { "streams": [{ "streamId", "from" }] } on standard output
  -h, --help           show this help

${configuration}
Records remain visible until their block is read again. A record that is found again retains its id;
other records are removed, as in a reorganization. GET /admin/indexers shows the progress.

Exit codes: 0 requested, 1 the database is unusable, or nothing was read yet, 2 wrong usage or
configuration, or an unknown bridge.
`,
};

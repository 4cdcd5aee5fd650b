/** The commands for users, in the order of `--help`. Each has a file below `commands/`, which is loaded when the command runs. */

import type { UserCommand } from './user-command.ts';

export type UserCommandEntry = {
  readonly name: string;
  /** One line of `flowgate --help`. */
  readonly summary: string;
  readonly load: () => Promise<UserCommand>;
};

export const userCommands: readonly UserCommandEntry[] = [
  {
    name: 'login',
    summary: 'sign in to a gateway',
    load: async () => (await import('./commands/login.ts')).loginCommand,
  },
  {
    name: 'logout',
    summary: 'sign out and delete the local credentials',
    load: async () => (await import('./commands/logout.ts')).logoutCommand,
  },
  {
    name: 'profiles',
    summary: 'saved gateways with their credentials: list, use, remove',
    load: async () => (await import('./commands/profiles.ts')).profilesCommand,
  },
  {
    name: 'whoami',
    summary: 'show the gateway, the credential and the user',
    load: async () => (await import('./commands/whoami.ts')).whoamiCommand,
  },
  {
    name: 'keys',
    summary: 'API keys: create (mint), list, revoke',
    load: async () => (await import('./commands/keys.ts')).keysCommand,
  },
  {
    name: 'rpc',
    summary: 'call a JSON-RPC method',
    load: async () => (await import('./commands/rpc.ts')).rpcCommand,
  },
  {
    name: 'networks',
    summary: 'list the networks of the gateway and their state',
    load: async () => (await import('./commands/networks.ts')).networksCommand,
  },
  {
    name: 'apps',
    summary: 'create, check, publish and retire Flow Apps',
    load: async () => (await import('./commands/apps.ts')).appsCommand,
  },
  {
    name: 'nodes',
    summary: 'nodes: add, list, remove',
    load: async () => (await import('./commands/nodes.ts')).nodesCommand,
  },
  {
    name: 'usage',
    summary: 'show your usage',
    load: async () => (await import('./commands/usage.ts')).usageCommand,
  },
  {
    name: 'history',
    summary: 'list deposits, swaps and withdrawals of linked wallets',
    load: async () => (await import('./commands/history.ts')).historyCommand,
  },
  {
    name: 'flow',
    summary: 'run a Flow App step by step',
    load: async () => (await import('./commands/flow.ts')).flowCommand,
  },
  {
    name: 'listen',
    summary: 'receive webhooks of your sessions on this machine',
    load: async () => (await import('./commands/listen.ts')).listenCommand,
  },
  {
    name: 'completion',
    summary: 'print the completion script for bash, zsh or fish',
    load: async () => (await import('./commands/completion.ts')).completionCommand,
  },
];

/** Called by the completion scripts; not listed in the help. */
export const completeName = 'complete';

/** The common options, which may precede or follow a command's name; those with a value are in the second list. */
const switches: readonly string[] = ['--json', '--no-color'];
const settings: readonly string[] = ['--profile', '--url'];

/** The arguments for the CLI for users if they name one of its commands, including `help COMMAND`. */
export function userArguments(args: readonly string[]): readonly string[] | undefined {
  const at = commandPlace(args);
  const name = args[at];
  if (name === 'help' && isUserCommand(args[at + 1]) && args.length === at + 2) return [args[at + 1] ?? '', '--help'];
  return isUserCommand(name) ? args : undefined;
}

function commandPlace(args: readonly string[]): number {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (settings.includes(arg)) at++;
    else if (!switches.includes(arg) && !settings.some((name) => arg.startsWith(`${name}=`))) return at;
  }
  return args.length;
}

function isUserCommand(name: string | undefined): boolean {
  return name === completeName || userCommands.some((each) => each.name === name);
}

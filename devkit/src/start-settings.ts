/** What `npm start` may be told, by flag or by environment: its ports and a directory. */
import { parseArgs } from 'node:util';

export type StartSettings = {
  readonly gatewayPort: number;
  readonly chainPort: number;
  readonly identityPort: number;
  readonly appsPort: number;
  readonly facilitatorPort: number;
  /** Holds everything that outlives a restart, and the logs. */
  readonly dataDirectory: string;
};

type Setting = {
  readonly flag: string;
  readonly variable: string;
  readonly fallback: string;
  readonly meaning: string;
};

/** `meaning` ends the sentence "the port of …"; the table is also the help text. */
export const PORT_SETTINGS = {
  gatewayPort: { flag: 'port', variable: 'FLOWGATE_PORT', fallback: '8080', meaning: 'the gateway' },
  chainPort: { flag: 'chain-port', variable: 'FLOWGATE_CHAIN_PORT', fallback: '8545', meaning: 'the local chain' },
  identityPort: {
    flag: 'identity-port',
    variable: 'FLOWGATE_IDENTITY_PORT',
    fallback: '9000',
    meaning: 'the identity provider',
  },
  appsPort: { flag: 'apps-port', variable: 'FLOWGATE_APPS_PORT', fallback: '9100', meaning: 'the sample Flow Apps' },
  facilitatorPort: {
    flag: 'facilitator-port',
    variable: 'FLOWGATE_FACILITATOR_PORT',
    fallback: '9200',
    meaning: 'the payment facilitator',
  },
} as const satisfies Record<string, Setting>;

const DATA_SETTING: Setting = {
  flag: 'data',
  variable: 'FLOWGATE_DATA',
  fallback: './data',
  meaning: 'everything kept',
};

/** A message that the person at the terminal can act on; shown without a stack trace. */
export class StartProblem extends Error {}

/** Flags win over the environment. Throws `StartProblem` for an unknown flag or a port that is none. */
export function readStartSettings(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): StartSettings {
  const flags = parseFlags(args);
  const read = (setting: Setting) => flags[setting.flag] ?? environment[setting.variable] ?? setting.fallback;
  const port = (setting: Setting) => parsePort(read(setting), setting);
  const settings = {
    gatewayPort: port(PORT_SETTINGS.gatewayPort),
    chainPort: port(PORT_SETTINGS.chainPort),
    identityPort: port(PORT_SETTINGS.identityPort),
    appsPort: port(PORT_SETTINGS.appsPort),
    facilitatorPort: port(PORT_SETTINGS.facilitatorPort),
    dataDirectory: read(DATA_SETTING),
  };
  const ports = Object.values(settings).filter((value) => typeof value === 'number');
  if (new Set(ports).size < ports.length) throw new StartProblem(`The ports must differ: ${ports.join(', ')}.`);
  return settings;
}

export function startHelp(): string {
  const rows = [...Object.values(PORT_SETTINGS), DATA_SETTING].map(({ flag, variable, fallback, meaning }) => {
    const value = flag === 'data' ? 'DIRECTORY' : 'PORT';
    return `  ${`--${flag} ${value}`.padEnd(24)} ${variable.padEnd(26)} ${fallback.padEnd(8)} ${meaning}`;
  });
  return `npm start [-- OPTIONS]: the gateway, a local chain, an identity provider and sample Flow Apps on this machine\n\n${rows.join('\n')}`;
}

function parseFlags(args: readonly string[]): Record<string, string | undefined> {
  const names = [...Object.values(PORT_SETTINGS), DATA_SETTING].map(({ flag }) => flag);
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  try {
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    throw new StartProblem(`${error instanceof Error ? error.message : String(error)}\n\n${startHelp()}`);
  }
}

function parsePort(text: string, { flag, variable }: Setting): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new StartProblem(`--${flag} (${variable}) must be a port from 1 to 65535, not "${text}".`);
}

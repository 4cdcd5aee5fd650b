/** What `npm start` may be told, by flag or by environment: its ports and a directory; the table is `start-options.json`, which `--help` prints. */
import { parseArgs } from 'node:util';
import options from '../start-options.json';

export type StartSettings = {
  readonly gatewayPort: number;
  readonly chainPort: number;
  readonly identityPort: number;
  readonly appsPort: number;
  readonly facilitatorPort: number;
  readonly nodeProviderPort: number;
  /** Holds everything that outlives a restart, and the logs. */
  readonly dataDirectory: string;
};

type Setting = {
  readonly flag: string;
  readonly variable: string;
  readonly fallback: string;
  readonly meaning: string;
};

const { dataDirectory: dataSetting, ...ports } = options;

/** `meaning` ends the sentence "the port of …". */
export const portSettings: Readonly<Record<keyof typeof ports, Setting>> = ports;

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
    gatewayPort: port(portSettings.gatewayPort),
    chainPort: port(portSettings.chainPort),
    identityPort: port(portSettings.identityPort),
    appsPort: port(portSettings.appsPort),
    facilitatorPort: port(portSettings.facilitatorPort),
    nodeProviderPort: port(portSettings.nodeProviderPort),
    dataDirectory: read(dataSetting),
  };
  const chosen = Object.values(settings).filter((value) => typeof value === 'number');
  if (new Set(chosen).size < chosen.length) throw new StartProblem(`The ports must differ: ${chosen.join(', ')}.`);
  return settings;
}

function parseFlags(args: readonly string[]): Record<string, string | undefined> {
  const names = [...Object.values(portSettings), dataSetting].map(({ flag }) => flag);
  const known = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  try {
    return parseArgs({ args: [...args], options: known, strict: true }).values;
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new StartProblem(`${problem} (npm start -- --help lists the options)`);
  }
}

function parsePort(text: string, { flag, variable }: Setting): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new StartProblem(`--${flag} (${variable}) must be a port from 1 to 65535, not "${text}".`);
}

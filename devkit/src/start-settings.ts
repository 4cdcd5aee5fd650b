/** The settings of `npm start` by flag or environment: ports, data directory and the rollup. `--help` prints the table in `start-options.json`. */
import { parseArgs } from 'node:util';
import options from '../start-options.json';

export type StartSettings = {
  readonly gatewayPort: number;
  readonly chainPort: number;
  readonly identityPort: number;
  readonly appsPort: number;
  readonly facilitatorPort: number;
  readonly nodeProviderPort: number;
  /** Used with `bridge` only, like the next two. */
  readonly l1Port: number;
  readonly l2Port: number;
  readonly rollupControlPort: number;
  /** Whether a local rollup runs next to the local chain. */
  readonly bridge: boolean;
  /** Contains the logs and all data that survives a restart. */
  readonly dataDirectory: string;
};

type Setting = {
  readonly flag: string;
  readonly variable: string;
  readonly fallback: string;
  readonly meaning: string;
};

const { dataDirectory: dataSetting, bridge: bridgeSetting, ...ports } = options;

/** `meaning` ends the sentence "the port of …". */
export const portSettings: Readonly<Record<keyof typeof ports, Setting>> = ports;

/** A problem that the user at the terminal can solve; shown without a stack trace. */
export class StartProblem extends Error {}

/** Flags override the environment. Throws `StartProblem` for an unknown flag or an invalid port. */
export function readStartSettings(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): StartSettings {
  const flags = parseFlags(args);
  const read = (setting: Setting) => String(flags[setting.flag] ?? environment[setting.variable] ?? setting.fallback);
  const port = (setting: Setting) => parsePort(read(setting), setting);
  const settings = {
    gatewayPort: port(portSettings.gatewayPort),
    chainPort: port(portSettings.chainPort),
    identityPort: port(portSettings.identityPort),
    appsPort: port(portSettings.appsPort),
    facilitatorPort: port(portSettings.facilitatorPort),
    nodeProviderPort: port(portSettings.nodeProviderPort),
    l1Port: port(portSettings.l1Port),
    l2Port: port(portSettings.l2Port),
    rollupControlPort: port(portSettings.rollupControlPort),
    bridge: flags[bridgeSetting.flag] === true || parseSwitch(environment[bridgeSetting.variable] ?? 'no'),
    dataDirectory: read(dataSetting),
  };
  const chosen = usedPorts(settings).map((name) => settings[name]);
  if (new Set(chosen).size < chosen.length) throw new StartProblem(`The ports must differ: ${chosen.join(', ')}.`);
  return settings;
}

const rollupPorts: ReadonlySet<string> = new Set(['l1Port', 'l2Port', 'rollupControlPort']);

/** The ports on which this start will listen. */
export function usedPorts({ bridge }: Pick<StartSettings, 'bridge'>): readonly (keyof typeof ports)[] {
  return portNames.filter((name) => bridge || !rollupPorts.has(name));
}

const portNames = [
  ...(['gatewayPort', 'chainPort', 'identityPort', 'appsPort', 'facilitatorPort', 'nodeProviderPort'] as const),
  ...(['l1Port', 'l2Port', 'rollupControlPort'] as const),
];

function parseSwitch(text: string): boolean {
  if (['yes', 'true', '1'].includes(text)) return true;
  if (['no', 'false', '0', ''].includes(text)) return false;
  throw new StartProblem(`${bridgeSetting.variable} must be yes or no, not "${text}".`);
}

function parseFlags(args: readonly string[]): Record<string, string | boolean | undefined> {
  const names = [...Object.values(portSettings), dataSetting].map(({ flag }) => flag);
  const known = {
    ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
    [bridgeSetting.flag]: { type: 'boolean' as const },
  };
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

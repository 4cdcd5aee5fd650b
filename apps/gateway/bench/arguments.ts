/** The bench's command line. */
import { parseArgs } from 'node:util';
import { type ContestantName, contestantNames } from './contestant.ts';

export type BenchArguments = {
  readonly rounds: number;
  readonly roundMs: number;
  readonly warmUpMs: number;
  /** Milliseconds of one open-loop measurement. */
  readonly latencyMs: number;
  /** Open-loop arrivals a second. */
  readonly perSecond: number;
  readonly connections: number;
  /** Only scenarios whose name begins with this; undefined for all. */
  readonly only: string | undefined;
  readonly without: ReadonlySet<ContestantName>;
  /** The file for a machine-readable copy. */
  readonly json: string | undefined;
  /** The directory for Flowgate's CPU profile. CPU figures of such a run are not valid. */
  readonly profile: string | undefined;
  /** The directory in which the distribution's Lua packages for nginx are unpacked. */
  readonly luaRoot: string;
};

export const usage = `npm run bench -- [--quick] [--only NAME] [--rounds N] [--rate PER_SECOND] [--without NAME]... [--json FILE]
                 [--profile DIRECTORY] [--lua-root DIRECTORY]

  --quick    fewer and shorter rounds: some minutes instead of about 12, less exact
  --only     scenarios whose name begins with NAME: proxied, cached, coalesced, unknown-key, blocked, limited, cold-key, batch-100, latency, stall,
             connections, subscribers, workers, failover
  --without  leaves out ${contestantNames.join(', ')}
  --rate     arrivals a second in the latency part (2000)
  --profile  writes a CPU profile of Flowgate there; the CPU figures of such a run are worth nothing`;

/** @throws with a sentence for the user when the arguments are not valid. */
export function parseArguments(words: readonly string[]): BenchArguments {
  const { values } = parseArgs({
    args: [...words],
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      rounds: { type: 'string' },
      rate: { type: 'string', default: '2000' },
      without: { type: 'string', multiple: true, default: [] },
      json: { type: 'string' },
      profile: { type: 'string' },
      'lua-root': { type: 'string', default: '' },
    },
  });
  return {
    rounds: wholeNumber('--rounds', values.rounds ?? (values.quick ? '3' : '7')),
    roundMs: values.quick ? 300 : 800,
    warmUpMs: values.quick ? 100 : 250,
    latencyMs: values.quick ? 800 : 2000,
    perSecond: wholeNumber('--rate', values.rate),
    connections: 64,
    only: values.only,
    without: new Set(values.without.map(contestantNamed)),
    json: values.json,
    profile: values.profile,
    luaRoot: values['lua-root'],
  };
}

function wholeNumber(option: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${option} needs a whole number above zero, not ${text}`);
  return value;
}

function contestantNamed(text: string): ContestantName {
  const name = contestantNames.find((known) => known === text);
  if (name === undefined) throw new Error(`--without knows ${contestantNames.join(', ')}, not ${text}`);
  return name;
}

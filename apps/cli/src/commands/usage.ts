/** `flowgate usage`: shows usage as a table and over time. */

import type { UsageBucket, UsageBy } from '@flowgate/client/usage-wire';
import { Option } from 'commander';
import type { Cli } from '../cli.ts';
import { CliProblem } from '../cli-problem.ts';
import { offer } from '../completion/offers.ts';
import { keyIds, networkNames } from '../completion/value-sources.ts';
import { momentFrom, shownTime } from '../moments.ts';
import { sparkline } from '../output/sparkline.ts';
import type { Column } from '../output/table.ts';
import { bucketFor, summarize, type UsageSummary } from '../usage-summary.ts';
import { examples, type UserCommand } from '../user-command.ts';

type UsageOptions = {
  readonly from: string;
  readonly to?: string;
  readonly bucket?: UsageBucket;
  readonly by: UsageBy;
  readonly key?: string;
  readonly network?: string;
};

/** Bounds of a line over time, in characters; the numbers are next to it. */
const narrowest = 20;
const widest = 60;

export const usageCommand: UserCommand = (command, cli) => {
  command
    .description('Show your usage: requests, and how many failed, were rate limited or were answered from the cache.')
    .option('--from <when>', 'start: a time, or a period such as 7d', '1h')
    .option('--to <when>', 'end: a time, or a period such as 1h; default: now')
    .addOption(
      new Option('--bucket <size>', 'length of one interval; default: chosen for the period').choices([
        'minute',
        'hour',
        'day',
      ]),
    )
    .addOption(
      new Option('--by <what>', 'dimension of the rows')
        .choices(['total', 'key', 'surface', 'network', 'method', 'app', 'outcome'])
        .default('total'),
    )
    .option('--key <keyId>', 'only one key; `token` selects requests with a token')
    .option('--network <dlt/id>', 'only one network');
  offer(command, { '--key': keyIds, '--network': networkNames });
  examples(command, [
    ['flowgate usage', 'the last hour'],
    ['flowgate usage --from 7d --by method', 'the last seven days, by method'],
    ['flowgate usage --from 24h --by key --json', 'the rows as the gateway returns them'],
  ]);
  command.action((options: UsageOptions) => report(cli, options));
};

async function report(cli: Cli, options: UsageOptions): Promise<void> {
  const { output, runtime } = cli;
  const now = runtime.clock.now();
  const from = momentFrom(options.from, now, -1);
  const to = options.to === undefined ? undefined : momentFrom(options.to, now, -1);
  const span = { from: Date.parse(from), to: to === undefined ? now : Date.parse(to) };
  if (span.from >= span.to) throw new CliProblem('usage', '--from must be before --to');
  const bucket = options.bucket ?? bucketFor(span.to - span.from);
  const { by, key: keyId, network } = options;
  const data = await (await cli.client('token', 'apiKey')).usage({ from, to, bucket, by, keyId, network });
  await output.answer({ from, to: new Date(span.to).toISOString(), bucket, by, data }, async () => {
    await output.say(`${shownTime(from)} to ${shownTime(new Date(span.to).toISOString())}, by ${bucket}`, 'dim');
    const width = Math.min(widest, Math.max(narrowest, (output.columns ?? 120) - 60));
    await output.table(
      summarize(data, { ...span, bucket }),
      columns(by, width),
      'Nothing was used in this time; the last seconds come a little later.',
    );
  });
}

function columns(by: UsageBy, width: number): readonly Column<UsageSummary>[] {
  const count = (title: string, of: (row: UsageSummary) => number): Column<UsageSummary> => ({
    ...{ title, of: (row) => String(of(row)), align: 'right' },
  });
  return [
    { title: by === 'total' ? '' : by.toUpperCase(), of: (row) => (by === 'total' ? 'total' : row.by), flexible: true },
    count('REQUESTS', ({ requests }) => requests),
    count('FAILED', ({ failed }) => failed),
    count('LIMITED', ({ limited }) => limited),
    count('CACHED', ({ cached }) => cached),
    { title: 'P95 MS', of: ({ worstP95Ms }) => (worstP95Ms === undefined ? '' : String(worstP95Ms)), align: 'right' },
    { title: 'OVER TIME', of: ({ counts }) => sparkline(counts, width) },
  ];
}

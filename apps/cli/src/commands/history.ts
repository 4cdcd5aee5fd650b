/** `flowgate history`: lists deposits, swaps and withdrawals of linked wallets. */

import type { HistoryEntry } from '@flowgate/client';
import { Option } from 'commander';
import { collected } from '../collected.ts';
import { decimalAmount } from '../decimal-amount.ts';
import { momentFrom, shownTime } from '../moments.ts';
import type { Column } from '../output/table.ts';
import { examples, type UserCommand } from '../user-command.ts';
import { wholeNumber } from '../whole-number.ts';

type HistoryOptions = {
  readonly type?: HistoryEntry['type'];
  readonly wallet?: string;
  readonly after?: string;
  readonly before?: string;
  readonly limit: number;
};

export const historyCommand: UserCommand = (command, cli) => {
  command
    .description('List deposits, swaps and withdrawals of your linked wallets, newest first.')
    .addOption(new Option('--type <type>', 'only entries of this type').choices(['deposit', 'swap', 'withdrawal']))
    .option('--wallet <address>', 'only entries of this linked wallet')
    .option('--after <when>', 'only entries after a time, or of a period such as 7d')
    .option('--before <when>', 'only entries before a time')
    .option('--limit <number>', 'maximum number of entries', wholeNumber(1, 1_000), 50);
  examples(command, [
    ['flowgate history --after 7d', 'the last seven days'],
    ['flowgate history --type withdrawal --json', 'withdrawals, as JSON'],
  ]);
  command.action(async ({ type, wallet, after, before, limit }: HistoryOptions) => {
    const now = cli.runtime.clock.now();
    const filter = {
      ...(type === undefined ? {} : { type }),
      ...(wallet === undefined ? {} : { wallet }),
      ...(after === undefined ? {} : { after: momentFrom(after, now, -1) }),
      ...(before === undefined ? {} : { before: momentFrom(before, now, -1) }),
    };
    const client = await cli.client('token', 'apiKey');
    const data = await collected(client.history.list({ filter, limit: Math.min(limit, 100) }), limit);
    await cli.output.answer({ data }, () =>
      cli.output.table(data, columns, 'Nothing yet: deposits, swaps and withdrawals of linked wallets come here.'),
    );
  });
};

const columns: readonly Column<HistoryEntry>[] = [
  { title: 'WHEN', of: ({ createdAt }) => shownTime(createdAt) },
  { title: 'WHAT', of: ({ type }) => type },
  { title: 'STATE', of: ({ status }) => status },
  { title: 'SENT', of: ({ sent }) => moved(sent), align: 'right', flexible: true },
  { title: 'RECEIVED', of: ({ received }) => moved(received), align: 'right', flexible: true },
  { title: 'NETWORK', of: ({ dlt, networkId }) => `${dlt}/${networkId}` },
  { title: 'ID', of: ({ id }) => id, flexible: true },
];

function moved(what: HistoryEntry['sent']): string {
  if (what === undefined) return '';
  const { amount, token } = what;
  const { symbol, decimals } = token;
  return decimals === undefined
    ? `${amount} of ${symbol ?? 'a token'}`
    : `${decimalAmount(amount, decimals)} ${symbol ?? ''}`;
}

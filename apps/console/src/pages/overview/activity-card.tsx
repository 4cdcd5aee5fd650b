/** The newest deposits, swaps and withdrawals of linked wallets. */
import type { HistoryEntry } from '@flowgate/client';
import { useQuery } from '@tanstack/react-query';
import { Badge, type Tone } from '../../components/badge.tsx';
import { ButtonLink } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ArrowDownToLine, ArrowLeftRight, ArrowUpFromLine, Wallet } from '../../components/icons.tsx';
import { ShortHash } from '../../components/short-hash.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { Time } from '../../components/time.tsx';
import { formatAmount } from '../../format/amount.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';

const shownEntries = 5;
const refreshMs = 30_000;

export function ActivityCard() {
  const client = useGateway();
  const { data, error, refetch } = useQuery({
    queryKey: ['history', 'newest'],
    queryFn: async ({ signal }) => (await client.history.page({ signal, limit: shownEntries })).data,
    refetchInterval: refreshMs,
  });
  return (
    <Card
      title="Recent activity"
      flush
      actions={
        <ButtonLink href="/history" size="sm" tone="quiet">
          Show all<span className="sr-only"> activity</span>
        </ButtonLink>
      }
    >
      {data === undefined && error === null && <SkeletonRows rows={2} />}
      {data === undefined && error !== null && (
        <div className="p-5">
          <ErrorNotice error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {data?.length === 0 && (
        <EmptyState
          icon={Wallet}
          title="No activity yet"
          action={
            <ButtonLink href="/wallets" size="sm">
              Link wallet
            </ButtonLink>
          }
        >
          Deposits, swaps and withdrawals of your linked wallets appear here.
        </EmptyState>
      )}
      {data !== undefined && data.length > 0 && (
        <ul className="divide-y divide-line border-t border-line">
          {data.map((entry) => (
            <Entry key={`${entry.type} ${entry.id}`} entry={entry} />
          ))}
        </ul>
      )}
    </Card>
  );
}

const icons = { deposit: ArrowDownToLine, withdrawal: ArrowUpFromLine, swap: ArrowLeftRight } as const;
const titles = { deposit: 'Deposit', withdrawal: 'Withdrawal', swap: 'Swap' } as const;

function Entry({ entry }: { readonly entry: HistoryEntry }) {
  const { type, status, createdAt, wallet, sent, received } = entry;
  const Icon = icons[type];
  const moved = [sent, type === 'swap' ? received : undefined].flatMap((each) =>
    each === undefined ? [] : [amountOf(each)],
  );
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3">
      <Icon aria-hidden="true" className="size-4 shrink-0 text-faint" />
      <span className="min-w-0 flex-1 basis-40">
        <span className="block font-medium">{titles[type]}</span>
        <span className="block text-sm break-words text-soft">{moved.join(' → ')}</span>
      </span>
      <span className="max-sm:hidden">
        <ShortHash value={wallet} what="wallet address" />
      </span>
      <span className="flex items-center gap-4 max-sm:w-full max-sm:pl-8">
        <Badge tone={toneOf(status)}>{status.replaceAll('-', ' ')}</Badge>
        <span className="text-sm text-faint">
          <Time at={createdAt} />
        </span>
      </span>
    </li>
  );
}

function amountOf({ token, amount }: NonNullable<HistoryEntry['sent']>): string {
  const symbol = token.symbol ?? (token.native ? 'ETH' : 'tokens');
  return `${formatAmount(amount, token.decimals ?? (token.native ? 18 : 0))} ${symbol}`;
}

function toneOf(status: string): Tone {
  if (/completed|finali[sz]ed|confirmed/.test(status)) return 'good';
  return /failed/.test(status) ? 'bad' : 'accent';
}

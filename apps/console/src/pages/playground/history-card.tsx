/** Calls of this tab, with a button to repeat them. */

import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { History, RotateCcw } from '../../components/icons.tsx';
import { Time } from '../../components/time.tsx';
import { wholeNumber } from '../../format/whole-number.ts';
import { clearCalls, type PastCall, usePastCalls } from './call-history.ts';
import type { PlannedCall } from './planned-call.ts';

const shownCharacters = 80;

export function HistoryCard({ onRepeat }: { readonly onRepeat: (call: PlannedCall) => void }) {
  const calls = usePastCalls();
  const columns: readonly Column<PastCall>[] = [
    {
      title: 'Call',
      phone: 'head',
      className: '@4xl:max-w-96',
      cell: ({ call }) => (
        <span className="block min-w-0">
          <code className="font-medium break-all">{call.method}</code>
          <code className="block truncate text-xs text-faint">
            {JSON.stringify(call.params).slice(0, shownCharacters)}
          </code>
        </span>
      ),
    },
    {
      title: 'Target',
      cell: ({ call: { target } }) => (
        <code className="break-all">{target.nodeId ?? `${target.dlt}/${target.networkId}`}</code>
      ),
    },
    { title: 'Response', cell: ({ ok }) => <Badge tone={ok ? 'good' : 'bad'}>{ok ? 'Result' : 'Error'}</Badge> },
    { title: 'Duration', align: 'right', cell: ({ tookMs }) => `${wholeNumber(Math.round(tookMs))} ms` },
    { title: 'Time', cell: ({ at }) => <Time at={at} /> },
    {
      title: 'Actions',
      isTitleHidden: true,
      align: 'right',
      cell: ({ call }) => (
        <Button size="sm" aria-label={`Repeat ${call.method}`} onClick={() => onRepeat(call)}>
          <RotateCcw aria-hidden="true" className="size-4" />
          Repeat
        </Button>
      ),
    },
  ];
  if (calls.length === 0)
    return (
      <Card flush>
        <EmptyState icon={History} title="No calls yet">
          Recent calls of this tab appear here until you sign out.
        </EmptyState>
      </Card>
    );
  return (
    <Card
      flush
      title="Calls in this tab"
      actions={
        <Button size="sm" tone="quiet" onClick={clearCalls}>
          Clear
        </Button>
      }
    >
      <DataTable label="Calls" columns={columns} rows={calls} rowKey={({ id }) => id} />
    </Card>
  );
}

/** Response of a call: the result as tree and text, or the error, with metadata. */
import { FlowgateError } from '@flowgate/client';
import type { ReactNode } from 'react';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { wholeNumber } from '../../format/whole-number.ts';
import { JsonText } from './json-text.tsx';
import { JsonTree } from './json-tree.tsx';
import type { CallOutcome } from './send-call.ts';

export function AnswerCard({ outcome }: { readonly outcome: CallOutcome }) {
  return (
    <Card title="Response" actions={<Verdict of={outcome} />}>
      <Facts of={outcome} />
      {outcome.ok ? (
        <Value key={outcome.at} value={outcome.result} name={outcome.call.method} />
      ) : (
        <Failure error={outcome.error} />
      )}
    </Card>
  );
}

function Value({ value, name }: { readonly value: unknown; readonly name: string }) {
  return (
    <Tabs
      label="Response view"
      tabs={[
        { id: 'tree', title: 'Tree', content: <JsonTree label="Response as a tree" value={value} /> },
        { id: 'text', title: 'Text', content: <JsonText value={value} name={name} /> },
      ]}
    />
  );
}

function Verdict({ of }: { readonly of: CallOutcome }) {
  if (of.ok) return <Badge tone="good">Result</Badge>;
  return (
    <Badge tone="bad">
      {of.error instanceof FlowgateError && of.error.code !== undefined ? `Error ${of.error.code}` : 'No result'}
    </Badge>
  );
}

function Facts({ of: { call, tookMs, bytes, facts } }: { readonly of: CallOutcome }) {
  const servedBy = facts?.servedBy?.join(', ');
  const entries: readonly (readonly [string, ReactNode])[] = [
    [
      'Method',
      <code key="method" className="break-all">
        {call.method}
      </code>,
    ],
    ['Duration', `${wholeNumber(Math.round(tookMs))} ms`],
    ['Size', sizeOf(bytes)],
    ...(servedBy === undefined || servedBy === '' ? [] : [['Served by', servedBy] as const]),
    ...(facts?.isOfUserNode === true ? [['Node owner', 'Another user, not the operator'] as const] : []),
    ...((facts?.attempts ?? 0) > 1 ? [['Nodes tried', String(facts?.attempts)] as const] : []),
    ...(facts?.rateLimit === undefined
      ? []
      : [
          [
            'Remaining this minute',
            `${wholeNumber(facts.rateLimit.remaining)} of ${wholeNumber(facts.rateLimit.limit)}`,
          ] as const,
        ]),
    ...(facts?.requestId === undefined
      ? []
      : [
          [
            'Request ID',
            <span key="request" className="inline-flex min-w-0 items-center gap-1">
              <code className="truncate text-xs">{facts.requestId}</code>
              <CopyButton text={facts.requestId} what="request ID" />
            </span>,
          ] as const,
        ]),
  ];
  return (
    <dl className="mb-4 flex flex-wrap gap-x-8 gap-y-2">
      {entries.map(([title, value]) => (
        <div key={title} className="min-w-0">
          <dt className="text-xs text-faint">{title}</dt>
          <dd className="flex min-h-7 min-w-0 items-center text-sm">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function Failure({ error }: { readonly error: unknown }) {
  if (!(error instanceof FlowgateError) || error.failure.kind !== 'json-rpc') return <ErrorNotice error={error} />;
  const { code, message, data } = error.failure.body;
  return (
    <div role="alert" className="rounded-lg border border-bad/35 bg-bad-soft px-4 py-3 text-sm">
      <p className="font-semibold text-bad">
        <code>{code}</code> {meaningOf(code)}
      </p>
      <p className="mt-0.5 break-words whitespace-pre-wrap text-ink">{message}</p>
      {error.retryAfter !== undefined && <p className="mt-1 text-soft">Try again in {error.retryAfter} s.</p>}
      {data !== undefined && (
        <div className="mt-2 rounded-md border border-line bg-surface px-3 py-1">
          <JsonTree label="Error data" value={data} />
        </div>
      )}
    </div>
  );
}

const meanings: Readonly<Record<number, string>> = {
  [-32700]: 'Parse error',
  [-32600]: 'Invalid request',
  [-32601]: 'Method not found, or not allowed here',
  [-32602]: 'Invalid parameters',
  [-32603]: 'Internal error',
  [-32000]: 'Server error',
  [-32001]: 'Invalid credentials',
  [-32002]: 'Unavailable',
  [-32003]: 'Not permitted',
  [-32005]: 'Over a limit',
  3: 'Reverted',
};

const meaningOf = (code: number): string => meanings[code] ?? 'Error';

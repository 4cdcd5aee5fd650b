/** State badges and notices of a transfer. */

import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../components/badge.tsx';
import { classNames } from '../../components/class-names.ts';
import { TriangleAlert } from '../../components/icons.tsx';
import { Time } from '../../components/time.tsx';

export type TransferStateProps = {
  readonly look: readonly [tone: Tone, word: string];
  readonly isStalled?: boolean;
  readonly staleSince?: string | undefined;
};

export function TransferState({ look: [tone, word], isStalled = false, staleSince }: TransferStateProps) {
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      <Badge tone={tone}>{word}</Badge>
      {isStalled && <Badge tone="warn">Stalled</Badge>}
      {staleSince !== undefined && <Badge tone="neutral">May be outdated</Badge>}
    </span>
  );
}

type NoticeProps = { readonly tone: 'warn' | 'bad'; readonly children: ReactNode };

export function Notice({ tone, children }: NoticeProps) {
  return (
    <div
      role="status"
      className={classNames(
        'mb-4 flex gap-3 rounded-lg px-4 py-3 text-sm',
        tone === 'warn' ? 'bg-warn-soft text-warn' : 'bg-bad-soft text-bad',
      )}
    >
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 break-words">{children}</div>
    </div>
  );
}

export function StaleNotice({ since }: { readonly since: string | undefined }) {
  if (since === undefined) return null;
  return (
    <Notice tone="warn">
      The gateway has not been able to read one of the chains since <Time at={since} />. The state below may be
      outdated. It updates automatically.
    </Notice>
  );
}

/** Timeline of a record: completed, current and upcoming states. */

import type { ReactNode } from 'react';
import { classNames } from '../../components/class-names.ts';
import { Check, X } from '../../components/icons.tsx';

export type TimelineStep = {
  readonly title: string;
  readonly state: 'done' | 'now' | 'later' | 'failed';
  readonly note?: ReactNode;
};

const looks = {
  done: 'bg-good-soft text-good',
  now: 'bg-accent-soft text-accent ring-2 ring-accent',
  later: 'bg-raised text-faint',
  failed: 'bg-bad-soft text-bad ring-2 ring-bad',
} as const;

const words = { done: 'Done', now: 'Now', later: 'Later', failed: 'Failed' } as const;

export function Timeline({ label, steps }: { readonly label: string; readonly steps: readonly TimelineStep[] }) {
  return (
    <ol aria-label={label}>
      {steps.map(({ title, state, note }, at) => (
        <li
          key={title}
          aria-current={state === 'now' ? 'step' : undefined}
          className="relative flex gap-4 pb-6 last:pb-0"
        >
          {at < steps.length - 1 && (
            <span
              aria-hidden="true"
              className={classNames(
                'absolute top-8 bottom-1 left-3.5 w-px -translate-x-1/2',
                state === 'done' ? 'bg-good' : 'bg-line',
              )}
            />
          )}
          <span className={classNames('grid size-7 shrink-0 place-items-center rounded-full text-xs', looks[state])}>
            {state === 'done' && <Check aria-hidden="true" className="size-4" />}
            {state === 'failed' && <X aria-hidden="true" className="size-4" />}
            {(state === 'now' || state === 'later') && <span aria-hidden="true">{at + 1}</span>}
            <span className="sr-only">{words[state]}:</span>
          </span>
          <div className="min-w-0 flex-1 pt-0.5">
            <p className={classNames('font-medium', state === 'later' && 'text-soft')}>{title}</p>
            {note !== undefined && <div className="mt-0.5 text-sm text-soft">{note}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** State of step `at` when step `now` is current. */
export function stepState(at: number, now: number, failed: boolean): TimelineStep['state'] {
  if (at < now) return 'done';
  if (at > now) return 'later';
  return failed ? 'failed' : 'now';
}

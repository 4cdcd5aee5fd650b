/** Badges for health and progress, with a dot so that color is not the only signal. Tags for everything else. */
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'accent';

const looks: Readonly<Record<Tone, string>> = {
  neutral: 'bg-raised text-soft',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  accent: 'bg-accent-soft text-accent',
};

export function Badge({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return (
    <span
      className={classNames(
        'inline-flex max-w-full items-center gap-1.5 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap',
        looks[tone],
      )}
    >
      <span aria-hidden="true" className="size-1.5 shrink-0 rounded-full bg-current" />
      <span className="truncate">{children}</span>
    </span>
  );
}

/** For example an owner or a kind. */
export function Tag({ children }: { readonly children: ReactNode }) {
  return (
    <span className="inline-flex max-w-full rounded border border-line px-1.5 py-px text-xs whitespace-nowrap text-soft">
      <span className="truncate">{children}</span>
    </span>
  );
}

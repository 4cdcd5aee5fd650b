/** Placeholder for an empty list: what would appear here, and what to do next. */

import type { ReactNode } from 'react';
import type { Icon } from './icons.tsx';

export type EmptyStateProps = {
  readonly icon: Icon;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
};

export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center px-6 py-12 text-center">
      <span className="mb-4 grid size-11 place-items-center rounded-full bg-raised text-soft">
        <Icon aria-hidden="true" className="size-5" />
      </span>
      <p className="font-semibold">{title}</p>
      {children !== undefined && <div className="mt-1 max-w-md text-sm text-soft text-balance">{children}</div>}
      {action !== undefined && <div className="mt-5">{action}</div>}
    </div>
  );
}

/** Page header and content sections. */
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type PageHeadProps = {
  readonly title: string;
  readonly lead?: ReactNode;
  /** To the right of the title. */
  readonly actions?: ReactNode;
};

export function PageHead({ title, lead, actions }: PageHeadProps) {
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="max-w-2xl min-w-0 flex-[1_1_18rem]">
        <h1 className="text-2xl font-semibold tracking-tight text-balance">{title}</h1>
        {lead !== undefined && <p className="mt-1 text-soft text-balance">{lead}</p>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
    </header>
  );
}

export type CardProps = {
  readonly title?: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  /** Rows and tables extend to the card's edges. */
  readonly flush?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
};

export function Card({ title, lead, actions, flush = false, className, children }: CardProps) {
  const Element = title === undefined ? 'div' : 'section';
  return (
    <Element
      {...(title !== undefined && { 'aria-label': title })}
      className={classNames('min-w-0 overflow-clip rounded-xl border border-line bg-surface shadow-card', className)}
    >
      {(title !== undefined || actions !== undefined) && (
        <div
          className={classNames(
            'flex flex-wrap justify-between gap-x-4 gap-y-2 px-5 pt-4 pb-3',
            lead === undefined ? 'items-center' : 'items-start',
          )}
        >
          <div className="min-w-0 flex-[1_1_8rem]">
            {title !== undefined && <h2 className="text-lg font-semibold">{title}</h2>}
            {lead !== undefined && <p className="text-sm text-soft">{lead}</p>}
          </div>
          {actions}
        </div>
      )}
      <div className={flush ? '' : classNames('px-5 pb-5', title === undefined && 'pt-5')}>{children}</div>
    </Element>
  );
}

export type StatProps = { readonly label: string; readonly value: ReactNode; readonly note?: ReactNode };

/** A number with its label. */
export function Stat({ label, value, note }: StatProps) {
  return (
    <div className="min-w-0 rounded-xl border border-line bg-surface px-3 py-3 shadow-card sm:px-5 sm:py-4">
      <p className="text-sm text-soft">{label}</p>
      <p className="mt-1 truncate text-xl font-semibold tracking-tight sm:text-2xl">{value}</p>
      {note !== undefined && <div className="mt-1 text-xs text-faint">{note}</div>}
    </div>
  );
}

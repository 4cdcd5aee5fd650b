/** Names and values of a record. */
import { Fragment, type ReactNode } from 'react';

export type Fact = readonly [name: string, value: ReactNode];

/** Omits facts without a value. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="grid gap-x-6 sm:grid-cols-[7rem_minmax(0,1fr)]">
      {facts
        .filter(([, value]) => value !== undefined && value !== '')
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt className="pt-2 text-sm text-faint sm:py-2.5">{name}</dt>
            <dd className="flex min-h-7 min-w-0 items-center max-sm:pb-1 sm:py-1.5">{value}</dd>
          </Fragment>
        ))}
    </dl>
  );
}

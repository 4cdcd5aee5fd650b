/** Link to the parent page, above a page's title. */

import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { ArrowLeft } from './icons.tsx';

export function BackLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <Link href={href} className="mb-3 inline-flex max-w-full items-center gap-1.5 text-sm text-soft hover:text-ink">
      <ArrowLeft aria-hidden="true" className="size-4 shrink-0" />
      <span className="truncate">{children}</span>
    </Link>
  );
}

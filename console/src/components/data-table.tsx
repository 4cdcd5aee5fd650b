/** A table; on a phone each row is a block with the columns' names beside the values. */
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type Column<Row> = {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** The title is for those who hear the page; of columns of buttons. */
  readonly isTitleHidden?: boolean;
  readonly align?: 'right';
  /** On a phone: `head` is the block's first line, without a name; `hidden` is left out there. */
  readonly phone?: 'head' | 'hidden';
  /** Of the cells. */
  readonly className?: string;
};

export type DataTableProps<Row> = {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
};

export function DataTable<Row>({ label, columns, rows, rowKey }: DataTableProps<Row>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no form's part, and a section would be one more landmark
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div role="group" aria-label={label} tabIndex={0} className="overflow-x-auto focus-visible:-outline-offset-2">
      <table className="w-full border-collapse text-left max-md:block">
        <thead className="max-md:sr-only">
          <tr className="border-b border-line">
            {columns.map(({ title, align, isTitleHidden = false }) => (
              <th
                key={title}
                scope="col"
                className={classNames(
                  'px-5 py-2.5 text-xs font-medium whitespace-nowrap text-faint',
                  align === 'right' && 'text-right',
                )}
              >
                <span className={isTitleHidden ? 'sr-only' : undefined}>{title}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line max-md:block">
          {rows.map((row) => (
            <tr key={rowKey(row)} className="max-md:block max-md:px-5 max-md:py-3.5 md:hover:bg-raised/60">
              {columns.map(({ title, cell, align, phone, className, isTitleHidden = false }) => (
                <td
                  key={title}
                  className={classNames(
                    'py-1 md:px-5 md:py-3 md:align-middle',
                    phone === 'hidden' ? 'max-md:hidden' : 'max-md:flex max-md:items-center max-md:gap-4',
                    align === 'right' && 'md:text-right',
                    className,
                  )}
                >
                  {phone !== 'head' && !isTitleHidden && (
                    <span aria-hidden="true" className="w-28 shrink-0 text-xs text-faint md:hidden">
                      {title}
                    </span>
                  )}
                  <span className="min-w-0 max-md:flex-1">{cell(row)}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A table. In containers narrower than 56 rem each row becomes a block with the column names next to the values, so that row actions remain visible. */
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type Column<Row> = {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** The title is for screen readers only; used for columns of buttons. */
  readonly isTitleHidden?: boolean;
  readonly align?: 'right';
  /** In the block layout: `head` is the first line, without a name; `corner` is at the upper right, for a single icon; `hidden` is left out. */
  readonly phone?: 'head' | 'corner' | 'hidden';
  /** Class of the cells. */
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
    // A container query, because the menu takes part of the screen's width.
    <div className="@container">
      {/* biome-ignore lint/a11y/useSemanticElements: not part of a form, and a section would add a landmark */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <div role="group" aria-label={label} tabIndex={0} className="overflow-x-auto focus-visible:-outline-offset-2">
        <table className="w-full border-collapse text-left @max-4xl:block">
          <thead className="@max-4xl:sr-only">
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
          <tbody className="divide-y divide-line @max-4xl:block">
            {rows.map((row) => (
              <tr
                key={rowKey(row)}
                className="@max-4xl:relative @max-4xl:grid @max-4xl:gap-x-6 @max-4xl:px-5 @max-4xl:py-3.5 @xl:grid-cols-2 @4xl:hover:bg-raised/60"
              >
                {columns.map(({ title, cell, align, phone, className, isTitleHidden = false }) => (
                  <td
                    key={title}
                    className={classNames(
                      'min-w-0 py-1 @4xl:px-5 @4xl:py-3 @4xl:align-middle',
                      phone === 'hidden' ? '@max-4xl:hidden' : '@max-4xl:flex @max-4xl:items-center @max-4xl:gap-3',
                      (phone === 'head' || isTitleHidden) && 'col-span-full',
                      phone === 'corner' && '@max-4xl:absolute @max-4xl:top-2 @max-4xl:right-3',
                      align === 'right' && '@4xl:text-right',
                      className,
                    )}
                  >
                    {phone !== 'head' && !isTitleHidden && (
                      <span aria-hidden="true" className="w-24 shrink-0 text-xs text-faint @4xl:hidden">
                        {title}
                      </span>
                    )}
                    <span className="min-w-0 @max-4xl:flex-1">{cell(row)}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

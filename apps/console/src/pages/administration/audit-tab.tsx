/** The audit log, newest first. */
import type { AuditEntry, AuditFilter } from '@flowgate/client';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Field, TextInput } from '../../components/field.tsx';
import { ScrollText } from '../../components/icons.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { Time } from '../../components/time.tsx';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { usePages } from '../../gateway/use-pages.ts';

const empty = { actor: '', action: '', target: '' };

export function AuditTab() {
  const { admin } = useGateway();
  const [typed, setTyped] = useState(empty);
  const [asked, setAsked] = useState(empty);
  const [shown, setShown] = useState<AuditEntry>();
  const filter = Object.fromEntries(Object.entries(asked).filter(([, text]) => text !== '')) as AuditFilter;
  const query = usePages(['admin', 'audit', asked], (options) => admin.audit.page({ ...options, filter }));
  return (
    <Card flush>
      <form
        className="grid gap-3 border-b border-line p-5 sm:grid-cols-[1fr_1fr_1fr_auto]"
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(typed);
        }}
      >
        {(
          [
            ['actor', 'Actor', ''],
            ['action', 'Action', 'key.revoked'],
            ['target', 'Target', ''],
          ] as const
        ).map(([name, label, placeholder]) => (
          <Field key={name} label={label}>
            {(control) => (
              <TextInput
                {...control}
                autoComplete="off"
                placeholder={placeholder}
                value={typed[name]}
                onChange={({ target }) => setTyped({ ...typed, [name]: target.value.trim() })}
              />
            )}
          </Field>
        ))}
        <div className="flex items-end">
          <Button type="submit">Filter</Button>
        </div>
      </form>
      <PagedList query={query} empty={<EmptyState icon={ScrollText} title="No matching entries" />}>
        {(entries) => (
          <DataTable
            label="Audit log"
            rows={entries}
            rowKey={({ auditId }) => auditId}
            columns={columnsWith(setShown)}
          />
        )}
      </PagedList>
      {shown !== undefined && (
        <Dialog wide title={shown.action} lead={`Request ${shown.requestId}`} onClose={() => setShown(undefined)}>
          <CodeBlock code={JSON.stringify(shown, undefined, 2)} what="entry" />
        </Dialog>
      )}
    </Card>
  );
}

function columnsWith(onShow: (entry: AuditEntry) => void): readonly Column<AuditEntry>[] {
  return [
    { title: 'Time', phone: 'head', cell: ({ at }) => <Time at={at} /> },
    { title: 'Actor', className: 'break-all', cell: ({ actor, via }) => `${actor} (${via})` },
    { title: 'Action', cell: ({ action }) => <code>{action}</code> },
    { title: 'Target', className: 'break-all', cell: ({ target }) => <code>{target}</code> },
    {
      title: 'Actions',
      isTitleHidden: true,
      align: 'right',
      cell: (entry) => (
        <Button size="sm" onClick={() => onShow(entry)}>
          Show<span className="sr-only"> {entry.auditId}</span>
        </Button>
      ),
    },
  ];
}

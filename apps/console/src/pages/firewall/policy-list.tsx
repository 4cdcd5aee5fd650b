/** Lists policies as sentences, with actions to add, edit and remove them; for one user or the operator. */
import type { Policies, Policy } from '@flowgate/client';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Confirm } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Plus, ShieldCheck } from '../../components/icons.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { Time } from '../../components/time.tsx';
import { useAction } from '../../gateway/use-action.ts';
import { networksQuery } from '../../gateway/use-networks.ts';
import { usePages } from '../../gateway/use-pages.ts';
import { PolicyDialog } from './policy-dialog.tsx';
import { type NameOf, policyInWords } from './policy-words.ts';
import { useNames } from './use-choices.ts';

export type PolicyListProps = {
  readonly title: string;
  readonly scope: Policy['scope'];
  readonly policies: Pick<Policies, 'page' | 'create' | 'update' | 'remove'>;
  readonly empty: string;
  /** A policy to open on load. */
  readonly opened?: Policy | undefined;
};

/** `new` for a policy that is being added. */
type Open = { readonly edited: Policy | 'new' } | { readonly removed: Policy };

export function PolicyList({ title, scope, policies, empty, opened }: PolicyListProps) {
  const listKey = ['policies', scope];
  // Policies change which networks the user can see.
  const changes = [listKey, networksQuery, ['denied-networks']];
  const nameOf = useNames(scope === 'own');
  const query = usePages(listKey, (options) => policies.page(options));
  const [open, setOpen] = useState<Open | undefined>(opened === undefined ? undefined : { edited: opened });
  const close = () => setOpen(undefined);
  const remove = useAction({
    run: ({ policyId }: Policy) => policies.remove(policyId),
    changes,
    done: () => 'Policy removed',
    onDone: close,
  });
  const add = (
    <Button tone="primary" onClick={() => setOpen({ edited: 'new' })}>
      <Plus aria-hidden="true" className="size-4" />
      Add policy
    </Button>
  );
  return (
    <Card title={title} actions={add} flush>
      <PagedList
        query={query}
        empty={
          <EmptyState icon={ShieldCheck} title="No policies yet">
            {empty}
          </EmptyState>
        }
      >
        {(entries) => (
          <DataTable
            label={title}
            rows={entries}
            rowKey={({ policyId }) => policyId}
            columns={columnsWith(
              (edited) => setOpen({ edited }),
              (removed) => setOpen({ removed }),
              nameOf,
            )}
          />
        )}
      </PagedList>
      {open !== undefined && 'edited' in open && (
        <PolicyDialog
          policy={open.edited === 'new' ? undefined : open.edited}
          scope={scope}
          policies={policies}
          changes={changes}
          onClose={close}
        />
      )}
      {open !== undefined && 'removed' in open && (
        <Confirm
          title="Remove this policy?"
          action="Remove"
          busy={remove.busy}
          onConfirm={() => remove.run(open.removed)}
          onClose={close}
        >
          This policy will no longer apply: “{policyInWords(open.removed, nameOf)}”
        </Confirm>
      )}
    </Card>
  );
}

function columnsWith(
  onEdit: (policy: Policy) => void,
  onRemove: (policy: Policy) => void,
  nameOf: NameOf,
): readonly Column<Policy>[] {
  return [
    {
      title: 'Policy',
      phone: 'head',
      className: 'wrap-anywhere @4xl:min-w-72',
      cell: (policy) => (
        <>
          {policy.name !== undefined && <span className="block font-medium">{policy.name}</span>}
          <span className={policy.name === undefined ? '' : 'text-soft'}>{policyInWords(policy, nameOf)}</span>
        </>
      ),
    },
    {
      title: 'Effect',
      cell: ({ effect }) => <span className="text-soft">{effect === 'allow' ? 'Allow' : 'Deny'}</span>,
    },
    { title: 'Changed', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
    {
      title: 'Actions',
      isTitleHidden: true,
      align: 'right',
      cell: (policy) => (
        <span className="flex gap-2 @4xl:justify-end">
          <Button size="sm" aria-label={`Edit: ${policyInWords(policy, nameOf)}`} onClick={() => onEdit(policy)}>
            Edit
          </Button>
          <Button size="sm" aria-label={`Remove: ${policyInWords(policy, nameOf)}`} onClick={() => onRemove(policy)}>
            Remove
          </Button>
        </span>
      ),
    },
  ];
}

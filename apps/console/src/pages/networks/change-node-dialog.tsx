/** Form to edit a node: label, URL (for example after a key rotation) and, for administrators, sharing. */
import type { NodePatch, NodeRecord } from '@flowgate/client';
import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogButtons } from '../../components/dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Checkbox } from '../../components/field.tsx';
import { fieldProblems } from '../../gateway/field-problems.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { useAction } from '../../gateway/use-action.ts';
import { useMe } from '../../gateway/use-me.ts';
import { LabelField, UrlField } from './node-fields.tsx';

export type ChangeNodeDialogProps = {
  readonly node: NodeRecord;
  readonly changes: readonly QueryKey[];
  readonly onClose: () => void;
};

export function ChangeNodeDialog({ node, changes, onClose }: ChangeNodeDialogProps) {
  const client = useGateway();
  const isAdmin = useMe().data?.isAdmin === true;
  const [values, setValues] = useState({ label: node.label ?? '', url: '', shared: node.shared });
  const change = useAction({
    run: (patch: NodePatch) => client.nodes.change(node.nodeId, patch),
    changes,
    done: ({ nodeId, label }) => `“${label ?? nodeId}” saved`,
    onDone: onClose,
    showsError: true,
  });
  const { at, isElsewhere } = fieldProblems(change.error, ['url', 'label']);
  return (
    <Dialog title="Edit node" onClose={onClose}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          const patch = patchOf(node, values);
          if (Object.keys(patch).length === 0) onClose();
          else change.run(patch);
        }}
      >
        <LabelField value={values.label} problem={at.label} onChange={(label) => setValues({ ...values, label })} />
        <UrlField
          {...(node.url !== undefined && { current: node.url })}
          value={values.url}
          problem={at.url}
          onChange={(url) => setValues({ ...values, url })}
        />
        {isAdmin && (
          <Checkbox
            label="Shared: every user can call it, and it also serves the network’s calls"
            checked={values.shared}
            onChange={({ target }) => setValues({ ...values, shared: target.checked })}
          />
        )}
        {isElsewhere && <ErrorNotice error={change.error} />}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={change.busy}>
            {change.busy ? 'Saving…' : 'Save'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** The changed members only. */
function patchOf(node: NodeRecord, { label, url, shared }: { label: string; url: string; shared: boolean }): NodePatch {
  return {
    ...(label === (node.label ?? '') ? {} : { label: label === '' ? null : label }),
    ...(url.trim() === '' ? {} : { url: url.trim() }),
    ...(shared === node.shared ? {} : { shared }),
  };
}

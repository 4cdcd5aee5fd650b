/** Form to register a node. Its URL contains the provider's key and is stored nowhere else in the browser. */
import type { NodeRecord } from '@flowgate/client';
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
import { networkPath } from '../../gateway/use-networks.ts';
import { LabelField, UrlField } from './node-fields.tsx';

export type RegisterNodeDialogProps = {
  readonly network: { readonly dlt: string; readonly networkId: string };
  readonly changes: readonly QueryKey[];
  readonly onClose: () => void;
};

const empty = { url: '', label: '', isPrivate: false };

export function RegisterNodeDialog({ network, changes, onClose }: RegisterNodeDialogProps) {
  const client = useGateway();
  const isAdmin = useMe().data?.isAdmin === true;
  const [values, setValues] = useState(empty);
  const [isUrlMissing, setUrlMissing] = useState(false);
  const register = useAction({
    run: ({ url, label, isPrivate }: typeof empty): Promise<NodeRecord> =>
      client.nodes.register({
        ...network,
        url: url.trim(),
        ...(label === '' ? {} : { label }),
        ...(isPrivate ? { kind: 'private' as const } : {}),
      }),
    changes,
    done: ({ nodeId, label }) => `“${label ?? nodeId}” registered`,
    onDone: onClose,
    showsError: true,
  });
  const { at, isElsewhere } = fieldProblems(register.error, ['url', 'label']);
  return (
    <Dialog
      title="Register node"
      lead={`The node must serve ${networkPath(network)}. The gateway checks its chain before saving it.`}
      onClose={onClose}
    >
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          setUrlMissing(values.url.trim() === '');
          if (values.url.trim() !== '') register.run(values);
        }}
      >
        <UrlField
          value={values.url}
          problem={isUrlMissing ? 'Enter the URL of your node, with the provider’s key in its path.' : at.url}
          onChange={(url) => setValues({ ...values, url })}
        />
        <LabelField value={values.label} problem={at.label} onChange={(label) => setValues({ ...values, label })} />
        {isAdmin && (
          <Checkbox
            label="Private: I vouch for this address, which can be outside the approved providers"
            checked={values.isPrivate}
            onChange={({ target }) => setValues({ ...values, isPrivate: target.checked })}
          />
        )}
        {isElsewhere && <ErrorNotice error={register.error} />}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={register.busy}>
            {register.busy ? 'Checking node…' : 'Register'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

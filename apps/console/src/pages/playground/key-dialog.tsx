/** Chooses the playground's API key: created for this tab, or pasted. */
import type { MintedApiKey } from '@flowgate/client';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogButtons } from '../../components/dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Field, TextInput } from '../../components/field.tsx';
import { consoleKey } from '../../gateway/console-key.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { useAction } from '../../gateway/use-action.ts';

export type KeyDialogProps = {
  readonly personId: string;
  /** The gateway refused the current key. */
  readonly wasRefused: boolean;
  readonly onKey: (apiKey: string) => void;
  readonly onClose: () => void;
};

const dayMs = 86_400_000;
const label = 'Console playground';
const keyForm = /^fk_[0-9A-Za-z]{16}\.[0-9A-Za-z]{49}$/;

export function KeyDialog({ personId, wasRefused, onKey, onClose }: KeyDialogProps) {
  const client = useGateway();
  const [pasted, setPasted] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const mint = useAction({
    run: (_: undefined) => client.apiKeys.mint({ label, expiresAt: new Date(Date.now() + dayMs).toISOString() }),
    changes: [['api-keys']],
    onDone: ({ apiKey, keyId }: MintedApiKey) => {
      consoleKey.keep({ apiKey, keyId, personId });
      onKey(apiKey);
    },
    showsError: true,
  });
  return (
    <Dialog
      title={wasRefused ? 'The gateway refused this key' : 'Calls need an API key'}
      lead={
        wasRefused
          ? 'It is revoked or expired. Choose another key.'
          : 'The console can create a key for this tab. It is valid for one day and revoked when you sign out.'
      }
      onClose={onClose}
    >
      {mint.error !== undefined && <ErrorNotice error={mint.error} />}
      {pasted === undefined ? (
        <DialogButtons>
          <Button onClick={() => setPasted('')}>Paste key</Button>
          <Button tone="primary" busy={mint.busy} onClick={() => mint.run(undefined)}>
            {mint.busy ? 'Creating…' : 'Create key for this tab'}
          </Button>
        </DialogButtons>
      ) : (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            const apiKey = pasted.trim();
            if (!keyForm.test(apiKey))
              return setProblem('This is not a complete API key. A key starts with fk_ and has 69 characters.');
            consoleKey.keep({ apiKey, personId });
            onKey(apiKey);
          }}
        >
          <Field label="API key" problem={problem} hint="Stored in this tab and sent only to this gateway.">
            {(control) => (
              <TextInput
                {...control}
                autoFocus
                type="password"
                autoComplete="off"
                value={pasted}
                onChange={({ target }) => setPasted(target.value)}
              />
            )}
          </Field>
          <DialogButtons>
            <Button onClick={() => setPasted(undefined)}>Back</Button>
            <Button type="submit" tone="primary">
              Use key
            </Button>
          </DialogButtons>
        </form>
      )}
    </Dialog>
  );
}

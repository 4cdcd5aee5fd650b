/** Asks with which API key the playground calls: one that it mints for this tab, or one that is pasted. */
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
  /** The key that there was is refused. */
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
      title={wasRefused ? 'The gateway refuses this key' : 'Calls need an API key'}
      lead={
        wasRefused
          ? 'It has been revoked, or has expired. Choose another one.'
          : 'Your sign-in alone calls no network. The console can create a key for this tab: it is valid for a day, stays in the tab, and is revoked when you sign out.'
      }
      onClose={onClose}
    >
      {mint.error !== undefined && <ErrorNotice error={mint.error} />}
      {pasted === undefined ? (
        <DialogButtons>
          <Button onClick={() => setPasted('')}>Paste a key</Button>
          <Button tone="primary" busy={mint.busy} onClick={() => mint.run(undefined)}>
            {mint.busy ? 'Creating…' : 'Create a key for this tab'}
          </Button>
        </DialogButtons>
      ) : (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            const apiKey = pasted.trim();
            if (!keyForm.test(apiKey))
              return setProblem('That is no whole API key: it begins with fk_ and has 69 characters.');
            consoleKey.keep({ apiKey, personId });
            onKey(apiKey);
          }}
        >
          <Field label="API key" problem={problem} hint="It stays in this tab, and goes to this gateway only.">
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
              Use it
            </Button>
          </DialogButtons>
        </form>
      )}
    </Dialog>
  );
}

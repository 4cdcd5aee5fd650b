/** Creates a key and shows it once. */
import { FlowgateError, type MintedApiKey } from '@flowgate/client';
import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog, DialogButtons } from '../../components/dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Field, Select, TextInput } from '../../components/field.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { useDraft } from '../../components/use-draft.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { useAction } from '../../gateway/use-action.ts';
import { useNetworks } from '../../gateway/use-networks.ts';
import { useSession } from '../../session/session-context.tsx';
import { keySnippets } from './key-snippets.ts';

export type MintKeyDialogProps = { readonly changes: QueryKey; readonly onClose: () => void };

const dayMs = 86_400_000;
const lifetimes = [
  ['', 'Never'],
  ['1', 'In 1 day'],
  ['7', 'In 7 days'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In 1 year'],
] as const;

const empty = { label: '', days: '90' };

export function MintKeyDialog({ changes, onClose }: MintKeyDialogProps) {
  const client = useGateway();
  const [draft, setDraft, clearDraft] = useDraft('mint-key', empty);
  const [problem, setProblem] = useState<string>();
  const mint = useAction({
    run: ({ label, days }: typeof empty) =>
      client.apiKeys.mint({
        label,
        ...(days === '' ? {} : { expiresAt: new Date(Date.now() + Number(days) * dayMs).toISOString() }),
      }),
    changes: [changes],
    onDone: clearDraft,
    showsError: true,
  });
  if (mint.output !== undefined) return <MintedKey minted={mint.output} onClose={onClose} />;
  const atLabel = mint.error instanceof FlowgateError && mint.error.status === 400;
  return (
    <Dialog title="Create API key" onClose={onClose}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (draft.label.trim() === '') return setProblem('Enter a label for this key.');
          setProblem(undefined);
          mint.run(draft);
        }}
      >
        <Field
          label="Label"
          hint="Where the key is used, such as “indexer, production”."
          problem={problem ?? (atLabel && mint.error instanceof Error ? mint.error.message : undefined)}
        >
          {(control) => (
            <TextInput
              {...control}
              maxLength={200}
              autoComplete="off"
              value={draft.label}
              onChange={({ target }) => setDraft({ ...draft, label: target.value })}
            />
          )}
        </Field>
        <Field label="Expires">
          {(control) => (
            <Select
              {...control}
              value={draft.days}
              onChange={({ target }) => setDraft({ ...draft, days: target.value })}
            >
              {lifetimes.map(([days, title]) => (
                <option key={days} value={days}>
                  {title}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {mint.error !== undefined && !atLabel && <ErrorNotice error={mint.error} />}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={mint.busy}>
            {mint.busy ? 'Creating…' : 'Create key'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

function MintedKey({ minted, onClose }: { readonly minted: MintedApiKey; readonly onClose: () => void }) {
  const { config } = useSession();
  const { data: networks } = useNetworks();
  const chains = networks?.filter(({ family }) => family === 'evm');
  const network = chains?.find((each) => each.default) ?? chains?.[0];
  return (
    <Dialog
      wide
      mustAnswer
      title={`“${minted.label}” created`}
      lead="The key is shown only once. Save it in a password manager or secret store."
      onClose={onClose}
    >
      <div data-initial-focus className="flex flex-wrap items-center gap-3 rounded-lg border border-line bg-raised p-3">
        <code className="min-w-0 flex-1 break-all">{minted.apiKey}</code>
        <CopyButton text={minted.apiKey} what="API key" label="Copy" tone="secondary" />
      </div>
      <div className="mt-5">
        <Tabs
          label="Use this key"
          tabs={keySnippets({ publicUrl: config.publicUrl, apiKey: minted.apiKey, network }).map(
            ({ id, title, code }) => ({
              id,
              title,
              content: <CodeBlock code={code} what={`${title} snippet`} />,
            }),
          )}
        />
      </div>
      <DialogButtons>
        <Button tone="primary" onClick={onClose}>
          I saved the key
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

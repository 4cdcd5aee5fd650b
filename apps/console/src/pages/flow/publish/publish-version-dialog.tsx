/** Publishes a version from its manifest. A generated signing secret is shown once. */
import { FlowgateError } from '@flowgate/client';
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Dialog, DialogButtons } from '../../../components/dialog.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Field, TextArea } from '../../../components/field.tsx';
import { useDraft } from '../../../components/use-draft.ts';
import { useGateway } from '../../../gateway/gateway-context.tsx';
import { useAction } from '../../../gateway/use-action.ts';
import { appsQuery, versionsQuery } from '../flow-paths.ts';
import { exampleManifest, readManifest } from './manifest-text.ts';
import { ShownOnce } from './shown-once.tsx';

const empty = { manifest: '' };
/** A manifest may contain its signing secret, which must not be stored. */
const mayKeep = ({ manifest }: typeof empty): boolean => !/secret|whsec_/i.test(manifest);

export type PublishVersionDialogProps = { readonly appId: string; readonly onClose: () => void };

export function PublishVersionDialog({ appId, onClose }: PublishVersionDialogProps) {
  const client = useGateway();
  const [draft, setDraft, clearDraft] = useDraft(`publish.${appId}`, empty, mayKeep);
  const [problem, setProblem] = useState<string>();
  const publish = useAction({
    run: (input: Parameters<typeof client.flow.versions.publish>[1]) => client.flow.versions.publish(appId, input),
    changes: [versionsQuery(appId), appsQuery],
    done: ({ version }) => `Version ${version} published`,
    onDone({ signingSecret }) {
      clearDraft();
      if (signingSecret === undefined) onClose();
    },
    showsError: true,
  });
  if (publish.output?.signingSecret !== undefined)
    return (
      <ShownOnce
        title={`Version ${publish.output.version} published`}
        lead="The gateway signs requests to the app with this secret. It is shown only once."
        secret={publish.output.signingSecret}
        onClose={onClose}
      />
    );
  const said = publish.error instanceof FlowgateError ? publish.error.errors : undefined;
  return (
    <Dialog
      wide
      title="Publish version"
      lead={`For ${appId}. A version cannot be changed: publish a new one and retire the old one.`}
      onClose={onClose}
    >
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          const read = readManifest(draft.manifest);
          setProblem('problem' in read ? read.problem : undefined);
          if ('input' in read) publish.run(read.input);
        }}
      >
        <Field
          label="Manifest"
          hint="JSON with version, baseUrl and steps. Optional: startSteps, queries and events. The app must already respond at baseUrl."
          problem={problem}
        >
          {(control) => (
            <TextArea
              {...control}
              rows={12}
              spellCheck={false}
              placeholder={exampleManifest}
              className="font-mono text-sm!"
              value={draft.manifest}
              onChange={({ target }) => setDraft({ manifest: target.value })}
            />
          )}
        </Field>
        {publish.error !== undefined && (
          <ErrorNotice
            error={publish.error}
            {...(said !== undefined && said.length > 0 && { text: said.map(({ message }) => message).join('\n') })}
          />
        )}
        <DialogButtons>
          {draft.manifest === '' && (
            <Button tone="quiet" onClick={() => setDraft({ manifest: exampleManifest })}>
              Start from an example
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={publish.busy}>
            {publish.busy ? 'Publishing…' : 'Publish'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

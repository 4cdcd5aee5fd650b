/** Form to register an app. */
import { FlowgateError } from '@flowgate/client';
import type { AppVisibility } from '@flowgate/client/flow-wire';
import { useLocation } from 'wouter';
import { Button } from '../../../components/button.tsx';
import { Dialog, DialogButtons } from '../../../components/dialog.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Field, Select, TextArea, TextInput } from '../../../components/field.tsx';
import { useDraft } from '../../../components/use-draft.ts';
import { useGateway } from '../../../gateway/gateway-context.tsx';
import { useAction } from '../../../gateway/use-action.ts';
import { appPath, appsQuery } from '../flow-paths.ts';
import { memberProblems } from './member-problems.ts';

const empty = { appId: '', name: '', description: '', visibility: 'private' as AppVisibility };

export function RegisterAppDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useGateway();
  const [, navigate] = useLocation();
  const [draft, setDraft, clearDraft] = useDraft('register-app', empty);
  const register = useAction({
    run: ({ description, ...input }: typeof empty) =>
      client.flow.apps.register({ ...input, ...(description !== '' && { description }) }),
    changes: [appsQuery],
    done: ({ name }) => `“${name}” registered`,
    onDone: ({ appId }) => {
      clearDraft();
      navigate(appPath(appId));
    },
    showsError: true,
  });
  const { at, loose } = memberProblems(register.error, Object.keys(empty));
  const idProblem = at['appId'] ?? takenProblem(register.error);
  const isPlaced = idProblem !== undefined || Object.keys(at).length > 0;
  return (
    <Dialog title="Register app" lead="Next, publish a version of it." onClose={onClose}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          register.run(draft);
        }}
      >
        <Field
          label="App ID"
          hint="publisher/name, such as acme/pay. The first user to register an app of a publisher owns that publisher name."
          problem={idProblem}
        >
          {(control) => (
            <TextInput
              {...control}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              className="font-mono"
              value={draft.appId}
              onChange={({ target }) => setDraft({ ...draft, appId: target.value })}
            />
          )}
        </Field>
        <Field label="Name" problem={at['name']}>
          {(control) => (
            <TextInput
              {...control}
              autoComplete="off"
              value={draft.name}
              onChange={({ target }) => setDraft({ ...draft, name: target.value })}
            />
          )}
        </Field>
        <Field label="Description" optional problem={at['description']}>
          {(control) => (
            <TextArea
              {...control}
              value={draft.description}
              onChange={({ target }) => setDraft({ ...draft, description: target.value })}
            />
          )}
        </Field>
        <Field label="Visible to" problem={at['visibility']}>
          {(control) => (
            <Select
              {...control}
              value={draft.visibility}
              onChange={({ target }) =>
                setDraft({ ...draft, visibility: target.value === 'public' ? 'public' : 'private' })
              }
            >
              <option value="private">Only me</option>
              <option value="public">Everyone</option>
            </Select>
          )}
        </Field>
        {register.error !== undefined && (loose || !isPlaced) && <ErrorNotice error={register.error} />}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={register.busy}>
            {register.busy ? 'Registering…' : 'Register'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** 403: another user owns the publisher name. 409: the app exists. Both problems belong to the ID. */
function takenProblem(error: unknown): string | undefined {
  return error instanceof FlowgateError && (error.status === 403 || error.status === 409) ? error.message : undefined;
}

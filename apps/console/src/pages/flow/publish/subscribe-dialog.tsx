/** Subscribes a URL to an event type. A generated secret is shown once. */
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Dialog, DialogButtons } from '../../../components/dialog.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Field, Select, TextInput } from '../../../components/field.tsx';
import { useDraft } from '../../../components/use-draft.ts';
import { useGateway } from '../../../gateway/gateway-context.tsx';
import { useAction } from '../../../gateway/use-action.ts';
import { subscriptionsQuery } from '../flow-paths.ts';
import { memberProblems } from './member-problems.ts';
import { ShownOnce } from './shown-once.tsx';

const platformTypes = [
  'session_created',
  'step_submitted',
  'session_completed',
  'session_cancelled',
  'session_expired',
  'session_failed',
];

export type SubscribeDialogProps = {
  readonly appId: string;
  /** Event types of the app. */
  readonly types: readonly string[];
  readonly onClose: () => void;
};

const empty = { eventType: 'session_completed', targetUrl: '' };

export function SubscribeDialog({ appId, types, onClose }: SubscribeDialogProps) {
  const client = useGateway();
  const [draft, setDraft, clearDraft] = useDraft(`subscribe.${appId}`, empty);
  // Secrets are not stored with the draft.
  const [secret, setSecret] = useState('');
  const subscribe = useAction({
    run: (input: typeof empty) =>
      client.flow.subscriptions.create(appId, { ...input, ...(secret !== '' && { secret }) }),
    changes: [subscriptionsQuery(appId)],
    done: () => 'Webhook added',
    onDone({ secret: made }) {
      clearDraft();
      if (made === undefined) onClose();
    },
    showsError: true,
  });
  if (subscribe.output?.secret !== undefined)
    return (
      <ShownOnce
        title="Webhook added"
        lead="The gateway signs deliveries with this secret. It is shown only once."
        secret={subscribe.output.secret}
        onClose={onClose}
      />
    );
  const { at, loose } = memberProblems(subscribe.error, ['eventType', 'targetUrl', 'secret']);
  return (
    <Dialog title="Subscribe to events" lead="Events are delivered as Standard Webhooks." onClose={onClose}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          subscribe.run(draft);
        }}
      >
        <Field label="Event" problem={at['eventType']}>
          {(control) => (
            <Select
              {...control}
              value={draft.eventType}
              onChange={({ target }) => setDraft({ ...draft, eventType: target.value })}
            >
              {[...types, ...platformTypes].map((type) => (
                <option key={type}>{type}</option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="URL" hint="An https URL that responds with 2xx within 10 seconds." problem={at['targetUrl']}>
          {(control) => (
            <TextInput
              {...control}
              type="url"
              autoComplete="off"
              placeholder="https://"
              value={draft.targetUrl}
              onChange={({ target }) => setDraft({ ...draft, targetUrl: target.value })}
            />
          )}
        </Field>
        <Field
          label="Secret"
          optional
          hint="At least 16 characters. Leave empty to generate one."
          problem={at['secret']}
        >
          {(control) => (
            <TextInput
              {...control}
              type="password"
              autoComplete="new-password"
              value={secret}
              onChange={({ target }) => setSecret(target.value)}
            />
          )}
        </Field>
        {subscribe.error !== undefined && (loose || Object.keys(at).length === 0) && (
          <ErrorNotice error={subscribe.error} />
        )}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={subscribe.busy}>
            {subscribe.busy ? 'Subscribing…' : 'Subscribe'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

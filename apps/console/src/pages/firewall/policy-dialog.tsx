/** Form to add or edit a policy. */
import type { Policies, Policy, PolicyInput } from '@flowgate/client';
import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogButtons } from '../../components/dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Field, Select, TextInput } from '../../components/field.tsx';
import { useDraft } from '../../components/use-draft.ts';
import { fieldProblems } from '../../gateway/field-problems.ts';
import { useAction } from '../../gateway/use-action.ts';
import { useMe } from '../../gateway/use-me.ts';
import { networkPath, useNetworks } from '../../gateway/use-networks.ts';
import { type Draft, deniesEverything, draftOf, inputOf, missingIn, presetsOf } from './policy-draft.ts';
import { CallFields, ResourceFields, WhoFields } from './policy-fields.tsx';
import { PreviewSentence, refusesEveryCall, usePolicyPreview } from './policy-preview.tsx';
import { policyInWords } from './policy-words.ts';
import { useNames } from './use-choices.ts';

export type PolicyDialogProps = {
  /** Undefined for a new policy. */
  readonly policy: Policy | undefined;
  readonly scope: Policy['scope'];
  readonly policies: Pick<Policies, 'create' | 'update'>;
  readonly changes: readonly QueryKey[];
  readonly onClose: () => void;
};

const confirmation = 'deny';
/** Nothing was saved: the dialog asks for the confirmation. */
const unconfirmed = 'unconfirmed';

export function PolicyDialog({ policy, scope, policies, changes, onClose }: PolicyDialogProps) {
  const presets = presetsOf[scope];
  const [first] = presets;
  const start = policy === undefined ? first?.draft : draftOf(policy);
  if (start === undefined) throw new Error('every scope has presets');
  const [draft, setDraft, clearDraft] = useDraft<Draft>(`policy-form.${policy?.policyId ?? scope}`, start);
  const [confirmed, setConfirmed] = useState('');
  const [isTried, setTried] = useState(false);
  const { data: me } = useMe();
  const { data: networks } = useNetworks();
  const nameOf = useNames(scope === 'own');
  const input = inputOf(draft);
  const missing = missingIn(draft);
  const isComplete = Object.keys(missing).length === 0;
  const preview = usePolicyPreview(isComplete && scope === 'own' ? input : undefined, policy?.policyId);
  const refusesAll =
    refusesEveryCall(preview.shown) ||
    deniesEverything(input, scope === 'own' ? me?.userId : undefined, (networks ?? []).map(networkPath));
  const mustConfirm = isComplete && refusesAll;
  const isConfirmed = confirmed.trim().toLowerCase() === confirmation;
  const save = useAction({
    run: async (given: PolicyInput) => {
      // Enter right after a change: the preview of the changed policy decides whether it must be confirmed.
      if (!isConfirmed && refusesEveryCall(await preview.load())) return unconfirmed;
      return policy === undefined ? policies.create(given) : policies.update(policy.policyId, given);
    },
    changes,
    done: (saved) => (saved === unconfirmed ? undefined : policy === undefined ? 'Policy added' : 'Policy saved'),
    onDone: (saved) => {
      if (saved === unconfirmed) return;
      clearDraft();
      onClose();
    },
    showsError: true,
  });
  const set = (members: Partial<Draft>) => setDraft({ ...draft, ...members });
  const { at, isElsewhere } = fieldProblems(save.error, fields);
  const problem = (field: 'subjects' | 'id' | 'methods') =>
    (isTried ? missing[field] : undefined) ??
    (field === 'id'
      ? (at['resource.id of'] ?? at['resource.id'])
      : field === 'methods'
        ? (at.methods ?? at.selectors)
        : at.subjects);
  const isUnconfirmed = mustConfirm && !isConfirmed;
  return (
    <Dialog title={policy === undefined ? 'Add policy' : 'Edit policy'} wide onClose={onClose}>
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (isComplete && !isUnconfirmed) save.run(input);
        }}
      >
        {policy === undefined && (
          <Field label="What should it do?">
            {(control) => (
              <Select
                {...control}
                value={draft.preset}
                onChange={({ target }) => {
                  const chosen = presets.find((each) => each.draft.preset === target.value);
                  setTried(false);
                  if (chosen !== undefined) setDraft(chosen.draft);
                }}
              >
                {presets.map(({ title, draft: { preset } }) => (
                  <option key={preset} value={preset}>
                    {title}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
        <div className="grid content-start gap-4 sm:grid-cols-2">
          <div className="grid content-start gap-4">
            {draft.preset === 'custom' && (
              <Field label="Effect" problem={at.effect}>
                {(control) => (
                  <Select
                    {...control}
                    value={draft.effect}
                    onChange={({ target }) => set({ effect: target.value === 'allow' ? 'allow' : 'deny' })}
                  >
                    <option value="deny">Deny</option>
                    <option value="allow">Allow only these</option>
                  </Select>
                )}
              </Field>
            )}
            <WhoFields draft={draft} set={set} scope={scope} problem={problem('subjects')} />
            <Field label="Name" optional problem={at.name}>
              {(control) => (
                <TextInput
                  {...control}
                  autoComplete="off"
                  value={draft.name}
                  onChange={({ target }) => set({ name: target.value })}
                />
              )}
            </Field>
          </div>
          <div className="grid content-start gap-4">
            <ResourceFields draft={draft} set={set} problem={problem('id')} />
            <CallFields draft={draft} set={set} problem={problem('methods')} />
          </div>
        </div>
        <div className="grid gap-1 rounded-lg bg-raised px-4 py-3 break-words" aria-live="polite">
          <p className="font-medium">{policyInWords(input, nameOf)}</p>
          {preview.shown !== undefined && <PreviewSentence of={preview.shown} />}
        </div>
        {mustConfirm && (
          <div className="rounded-lg border border-bad/35 bg-bad-soft px-4 py-3">
            <p className="mb-3 text-sm">
              {scope === 'own'
                ? 'This policy denies you every network, or every call that you made today. The console would no longer show any network.'
                : 'This policy denies every network to users of this gateway.'}
            </p>
            <Field
              label={`Type ${confirmation} to confirm`}
              problem={isTried && isUnconfirmed ? `Type the word ${confirmation}.` : undefined}
            >
              {(control) => (
                <TextInput
                  {...control}
                  autoComplete="off"
                  value={confirmed}
                  onChange={({ target }) => setConfirmed(target.value)}
                />
              )}
            </Field>
          </div>
        )}
        {isElsewhere && <ErrorNotice error={save.error} />}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone={mustConfirm ? 'danger' : 'primary'} busy={save.busy}>
            {policy === undefined ? 'Add policy' : 'Save'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** Prefixes of the gateway's problem sentences. */
const fields = ['effect', 'name', 'resource.id of', 'resource.id', 'subjects', 'methods', 'selectors'] as const;

/** The form of a policy. */
import { FlowgateError, type Policies, type Policy, type PolicyInput } from '@flowgate/client';
import type { QueryKey } from '@tanstack/react-query';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogButtons } from '../../components/dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Field, Select, TextArea, TextInput } from '../../components/field.tsx';
import { useDraft } from '../../components/use-draft.ts';
import { useAction } from '../../gateway/use-action.ts';
import { policyInWords } from './policy-words.ts';

export type PolicyDialogProps = {
  /** Undefined: a new one. */
  readonly policy: Policy | undefined;
  readonly policies: Pick<Policies, 'create' | 'update'>;
  readonly changes: QueryKey;
  readonly onClose: () => void;
};

/** Lists are a line for each entry. */
type Draft = {
  readonly name: string;
  readonly effect: Policy['effect'];
  readonly subjects: string;
  readonly kind: Policy['resource']['kind'];
  readonly id: string;
  readonly parts: string;
};

const empty: Draft = { name: '', effect: 'deny', subjects: '*', kind: 'network', id: '*', parts: '' };

const resources: Readonly<Record<Draft['kind'], readonly [string, string, string | undefined]>> = {
  network: ['A network', '“ethereum/dev”, or * for every network.', 'Methods'],
  node: ['A node', 'A node’s id, or * for every node.', 'Methods'],
  contract: ['A contract', '“ethereum/dev/0x…”, “ethereum/dev/create”, or * for every contract.', 'Selectors'],
  app: ['A Flow App', '“publisher/slug”, or * for every app.', undefined],
};

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function draftOf(policy: Policy): Draft {
  const { name, effect, subjects, resource, methods, selectors } = policy;
  const parts = [...(methods ?? []), ...(selectors ?? [])].join('\n');
  return { name: name ?? '', effect, subjects: subjects.join('\n'), kind: resource.kind, id: resource.id, parts };
}

function inputOf({ name, effect, subjects, kind, id, parts }: Draft): PolicyInput {
  const listed = linesOf(parts);
  const narrowed = listed.length === 0 ? null : listed;
  return {
    name: name.trim() === '' ? null : name,
    ...{ effect, subjects: linesOf(subjects), resource: { kind, id: id.trim() } },
    methods: kind === 'network' || kind === 'node' ? narrowed : null,
    selectors: kind === 'contract' ? narrowed : null,
  };
}

export function PolicyDialog({ policy, policies, changes, onClose }: PolicyDialogProps) {
  const draftName = `policy.${policy?.policyId ?? changes.join('.')}`;
  const [draft, setDraft, clearDraft] = useDraft(draftName, policy === undefined ? empty : draftOf(policy));
  const save = useAction({
    run: (input: PolicyInput) =>
      policy === undefined ? policies.create(input) : policies.update(policy.policyId, input),
    changes: [changes],
    done: () => (policy === undefined ? 'The policy is in force' : 'The policy is changed'),
    onDone: () => {
      clearDraft();
      onClose();
    },
    showsError: true,
  });
  const set = (member: Partial<Draft>) => setDraft({ ...draft, ...member });
  const problemAt = problemsOf(save.error);
  const isElsewhere =
    save.error !== undefined && Object.keys(members).every((member) => problemAt(member as Member) === undefined);
  const [, idHint, partsTitle] = resources[draft.kind];
  return (
    <Dialog title={policy === undefined ? 'Add a policy' : 'Edit the policy'} wide onClose={onClose}>
      <form
        noValidate
        className="grid gap-4 sm:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault();
          save.run(inputOf(draft));
        }}
      >
        <p className="rounded-lg bg-raised px-4 py-3 break-words sm:col-span-2" aria-live="polite">
          {policyInWords({
            ...{ effect: draft.effect, subjects: linesOf(draft.subjects) },
            resource: { kind: draft.kind, id: draft.id.trim() },
            methods: linesOf(draft.parts),
          })}
        </p>
        <Field label="Effect" problem={problemAt('effect')}>
          {(control) => (
            <Select
              {...control}
              value={draft.effect}
              onChange={({ target }) => set({ effect: target.value === 'allow' ? 'allow' : 'deny' })}
            >
              <option value="deny">Deny</option>
              <option value="allow">Allow, and nobody else in this scope</option>
            </Select>
          )}
        </Field>
        <Field label="Name" optional problem={problemAt('name')}>
          {(control) => (
            <TextInput {...control} value={draft.name} onChange={({ target }) => set({ name: target.value })} />
          )}
        </Field>
        <Field label="About" problem={problemAt('kind')}>
          {(control) => (
            <Select
              {...control}
              value={draft.kind}
              onChange={({ target }) => set({ kind: target.value as Draft['kind'], id: '*', parts: '' })}
            >
              {Object.entries(resources).map(([kind, [title]]) => (
                <option key={kind} value={kind}>
                  {title}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Which one" hint={idHint} problem={problemAt('id')}>
          {(control) => (
            <TextInput
              {...control}
              className="font-mono"
              value={draft.id}
              onChange={({ target }) => set({ id: target.value })}
            />
          )}
        </Field>
        <Field
          label="Whom it names"
          hint="One a line: * (everybody), user:ID, key:KEYID, role:ROLE."
          problem={problemAt('subjects')}
          className={partsTitle === undefined ? 'sm:col-span-2' : ''}
        >
          {(control) => (
            <TextArea
              {...control}
              className="font-mono"
              value={draft.subjects}
              onChange={({ target }) => set({ subjects: target.value })}
            />
          )}
        </Field>
        {partsTitle !== undefined && (
          <Field
            label={partsTitle}
            optional
            hint={
              partsTitle === 'Methods' ? 'One a line, with * for any characters: eth_send*' : 'One a line: 0xa9059cbb'
            }
            problem={problemAt('methods')}
          >
            {(control) => (
              <TextArea
                {...control}
                className="font-mono"
                value={draft.parts}
                onChange={({ target }) => set({ parts: target.value })}
              />
            )}
          </Field>
        )}
        {isElsewhere && (
          <div className="sm:col-span-2">
            <ErrorNotice error={save.error} />
          </div>
        )}
        <div className="sm:col-span-2">
          <DialogButtons>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" tone="primary" busy={save.busy}>
              {policy === undefined ? 'Add' : 'Save'}
            </Button>
          </DialogButtons>
        </div>
      </form>
    </Dialog>
  );
}

/** By the names with which the gateway begins its sentences. */
const members = {
  effect: /^effect\b/,
  name: /^name\b/,
  kind: /^resource(?:\.kind)? /,
  id: /^resource\.id\b/,
  subjects: /^subjects\b/,
  methods: /^(?:methods|selectors)\b/,
} as const;
type Member = keyof typeof members;

function problemsOf(error: unknown): (member: Member) => string | undefined {
  if (!(error instanceof FlowgateError) || error.status !== 400) return () => undefined;
  const sentences = error.message.split('; ');
  return (member) => sentences.find((sentence) => members[member].test(sentence));
}

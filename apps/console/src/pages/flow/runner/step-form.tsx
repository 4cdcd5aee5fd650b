/** Fields and actions of a step. Input is stored in the tab until the session continues; secrets and signatures are not. */
import type { Field, JsonMembers, StepAction, StepSpec } from '@flowgate/client/flow-wire';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { useDraft } from '../../../components/use-draft.ts';
import { shortened } from '../../../format/shortened.ts';
import { useWallet } from '../../../wallet/use-wallet.ts';
import { FieldControl } from './field-control.tsx';
import {
  type FieldProblem,
  isFleeting,
  sentence,
  shownFields,
  submittable,
  type Typed,
  type TypedValues,
  typedOf,
} from './field-values.ts';
import { PaymentCard } from './payment-card.tsx';
import { RunNotice } from './run-notice.tsx';
import { toSign } from './sign-step.ts';
import { TransactionCard } from './transaction-card.tsx';
import type { RunHandle } from './use-flow-run.ts';

const nothing: TypedValues = {};

/** Remounted for each state of the session. */
export function StepForm({ handle }: { readonly handle: RunHandle }) {
  const { state, act, isBusy, problem } = handle;
  const form = useStepForm(handle);
  const element = useRef<HTMLFormElement>(null);
  const { problems } = form;
  useEffect(() => {
    if (problems.length > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);
  const { session, phase } = state;
  if (session === undefined) return null;
  const { fields, actions, payment } = session.currentStep;
  const [first] = actions.filter(({ validate }) => validate !== false);
  const main = first ?? (actions.length === 1 ? actions[0] : undefined);
  // Until it is signed, the transaction card has the primary button.
  const isUnsigned = isToBeSigned(session.currentStep) && !isSigned(fields, form.typed);
  const isLocked = isBusy || phase === 'submitting' || phase === 'unanswered';
  const atFields = new Set(fields.map(({ fieldId }) => fieldId));
  const loose = problems.filter(({ fieldId }) => fieldId === undefined || !atFields.has(fieldId));
  return (
    <form
      ref={element}
      noValidate
      aria-label={session.currentStep.title}
      className="flex flex-col gap-5"
      onKeyDown={(event) => {
        // In a multi-line field, Enter inserts a line.
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isLocked && first !== undefined) form.submit(first);
      }}
    >
      <TransactionCard handle={handle} step={session.currentStep} onSigned={form.fill} />
      {shownFields(fields, form.typed).map((field) => {
        const problem = form.problemAt(field.fieldId);
        const control = (
          <FieldControl
            key={field.fieldId}
            field={field}
            value={typedOf(field, form.typed)}
            problem={problem}
            disabled={isLocked}
            onChange={(value) => form.change(field.fieldId, value)}
            {...(field.type === 'address' && {
              aid: <WalletAccount onChoose={(value) => form.change(field.fieldId, value)} />,
            })}
          />
        );
        if (field.type !== 'signedTransaction' || !isToBeSigned(session.currentStep)) return control;
        return (
          <details key={field.fieldId} {...(problem !== undefined && { open: true })} className="text-sm">
            <summary className="mb-2 w-fit text-soft hover:text-ink">
              {isUnsigned ? 'Signed elsewhere? Paste the signed transaction' : 'Show the signed transaction'}
            </summary>
            {control}
          </details>
        );
      })}
      {phase === 'payment' ? (
        <PaymentCard handle={handle} accepts={state.accepts} isAsked />
      ) : (
        payment !== undefined && <PaymentCard handle={handle} accepts={acceptsIn(payment)} isAsked={false} />
      )}
      <div className="empty:hidden">
        <RunNotice
          state={state}
          problem={problem}
          loose={loose.map(({ message }) => sentence(message))}
          onRetry={() => act((run) => run.retry())}
        />
        {phase === 'unanswered' && !isBusy && (
          <Button size="sm" tone="quiet" className="mt-2" onClick={() => act((run) => run.refresh())}>
            Reload the session and edit my input
          </Button>
        )}
      </div>
      {actions.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {actions.map((action) => (
            <ActionButton
              key={action.actionId}
              action={action}
              isFirst={action === first}
              isMain={action === main && phase !== 'payment' && !isUnsigned}
              isLocked={isLocked}
              isChosen={isBusy && form.chosen === action.actionId}
              onChoose={() => form.submit(action)}
            />
          ))}
        </div>
      )}
    </form>
  );
}

const signedTypes: readonly Field['type'][] = ['signedTransaction', 'txHash'];

/** True when a wallet can sign the transaction and the step accepts the result. */
function isToBeSigned({ transaction, fields }: StepSpec): boolean {
  return (
    transaction !== undefined &&
    toSign(transaction) !== undefined &&
    fields.some(({ type }) => signedTypes.includes(type))
  );
}

function isSigned(fields: readonly Field[], typed: TypedValues): boolean {
  return fields.some((field) => signedTypes.includes(field.type) && (typedOf(field, typed) ?? '') !== '');
}

/** Payment options that the app announces in advance. */
function acceptsIn(payment: JsonMembers): readonly JsonMembers[] {
  const { accepts } = payment;
  return Array.isArray(accepts) ? accepts.filter((each) => typeof each === 'object' && each !== null) : [];
}

/** Fills in the connected wallet's address. */
function WalletAccount({ onChoose }: { readonly onChoose: (address: string) => void }) {
  const { connected } = useWallet();
  if (connected === undefined) return null;
  const { account, wallet } = connected;
  return (
    <Button size="sm" tone="quiet" className="self-start" onClick={() => onChoose(account)}>
      Use {shortened(account, 6, 4)} of {wallet.name}
    </Button>
  );
}

type ActionButtonProps = {
  readonly action: StepAction;
  readonly isFirst: boolean;
  readonly isMain: boolean;
  readonly isLocked: boolean;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
};

function ActionButton({ action: { label }, isFirst, isMain, isLocked, isChosen, onChoose }: ActionButtonProps) {
  return (
    <Button
      // Enter in a field triggers the first action that submits the fields.
      type={isFirst ? 'submit' : 'button'}
      tone={isMain ? 'primary' : 'secondary'}
      busy={isLocked}
      onClick={(event) => {
        // The second click of a double click on the previous step may land here.
        if (event.detail > 1) event.preventDefault();
        else if (!isFirst) onChoose();
      }}
      className="h-auto! min-h-9 max-w-full py-1.5 text-left whitespace-normal! wrap-anywhere"
    >
      <span dir="auto">{label}</span>
      {isChosen && <span aria-hidden="true">…</span>}
    </Button>
  );
}

type StepFormState = {
  readonly typed: TypedValues;
  readonly problems: readonly FieldProblem[];
  readonly problemAt: (fieldId: string) => string | undefined;
  readonly change: (fieldId: string, value: Typed) => void;
  /** Fills in values that the wallet created. */
  readonly fill: (values: JsonMembers) => void;
  readonly submit: (action: StepAction) => void;
  readonly chosen: string | undefined;
};

function useStepForm({ state, run, act }: RunHandle): StepFormState {
  const { session, findings } = state;
  const fields = session?.currentStep.fields ?? [];
  const [draft, setDraft, clearDraft] = useDraft(`flow.${session?.sessionId}.${session?.stateVersion}`, nothing);
  const [fleeting, setFleeting] = useState<TypedValues>(() => textsIn(run.signed()));
  const [own, setOwn] = useState<readonly FieldProblem[]>([]);
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = useState<string>();
  const typed = { ...draft, ...fleeting };
  const problems = own.length > 0 ? own : findings;
  return {
    typed,
    problems,
    chosen,
    problemAt(fieldId) {
      if (changed.has(fieldId)) return undefined;
      const found = problems.filter((each) => each.fieldId === fieldId).map(({ message }) => sentence(message));
      return found.length === 0 ? undefined : found.join(' ');
    },
    change(fieldId, value) {
      setChanged(new Set([...changed, fieldId]));
      const field = fields.find((each) => each.fieldId === fieldId);
      if (field !== undefined && isFleeting(field)) setFleeting({ ...fleeting, [fieldId]: value });
      else setDraft({ ...draft, [fieldId]: value });
    },
    fill(values) {
      // Clears the problems of the filled fields.
      setChanged((before) => new Set([...before, ...Object.keys(values)]));
      setFleeting((before) => ({ ...before, ...textsIn(values) }));
    },
    submit({ actionId, validate = true }) {
      const { values, problems: unfit } = submittable(fields, typed, validate);
      setChanged(new Set());
      setOwn(unfit);
      if (unfit.length > 0) return;
      setChosen(actionId);
      const stateVersion = session?.stateVersion;
      act(async () => {
        const after = await run.submit({ actionId, fieldValues: values });
        if (after.session?.stateVersion !== stateVersion) clearDraft();
      });
    },
  };
}

function textsIn(values: JsonMembers): TypedValues {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

/** The types that follow from how a step is declared: the ids of its actions, and the values of its fields. */

import type { Field, JsonMembers, PaymentReceipt, RenderRequest, RenderResponse, StepSpec } from '../wire.ts';

/** A field, by the name that it has in `fieldValues`. */
export type FieldDeclaration = Omit<Field, 'fieldId'>;
export type FieldDeclarations = Readonly<Record<string, FieldDeclaration>>;

/** Its label; or label and whether the fields are checked. */
export type ActionDeclaration = string | { readonly label: string; readonly validate?: boolean };
export type ActionDeclarations = Readonly<Record<string, ActionDeclaration>>;

/** What a step says beside its fields and actions; each member may also be given when the step is shown. */
export type StepTexts = {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly options?: JsonMembers | undefined;
  /** x402: `{ accepts: [PaymentRequirements] }`. Every submission of the step then costs that. */
  readonly payment?: JsonMembers | undefined;
  readonly transaction?: JsonMembers | undefined;
  readonly channels?: JsonMembers | undefined;
};

export type StepDeclaration<Fields, Actions> = StepTexts & {
  readonly title: string;
  readonly fields?: Fields;
  readonly actions?: Actions;
  /** The session ends here. */
  readonly terminal?: boolean;
};

type ChoiceOf<F> = F extends { readonly options: readonly { readonly value: infer Value }[] } ? Value : string;

type ValueOf<F> = F extends { readonly type: infer Type }
  ? Type extends 'number'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'select'
        ? ChoiceOf<F>
        : Type extends 'multiselect'
          ? readonly ChoiceOf<F>[]
          : Type extends 'json'
            ? unknown
            : string
  : never;

/** The values of a step's fields: those of required ones that are always visible are there. */
export type ValuesOf<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends { readonly required: true }
    ? Fields[Name] extends { readonly visibleWhen: object }
      ? ValueOf<Fields[Name]> | undefined
      : ValueOf<Fields[Name]>
    : ValueOf<Fields[Name]> | undefined;
};

/** After an action with `validate: false` nothing is known of the values. */
export type SubmittedValues<Fields, Action> = Action extends { readonly validate: false }
  ? { readonly [Name in keyof Fields]: unknown }
  : ValuesOf<Fields>;

/** What a start handler knows. */
export type StartContext<State, Data> = {
  readonly state: State;
  /** The app data of this user. */
  readonly appData: Data;
  /** What whoever started the session passed on. */
  readonly launchContext: JsonMembers;
  readonly session: RenderRequest['session'];
  /** The same on every delivery of this submission, or of this start where it came with a key: for an effect that is asked for elsewhere. */
  readonly idempotencyKey: string | undefined;
  readonly request: RenderRequest;
};

export type ActionContext<State, Data, Values> = StartContext<State, Data> & {
  readonly values: Values;
  readonly idempotencyKey: string;
  /** On a step that costs something. */
  readonly paymentReceipt: PaymentReceipt | undefined;
};

export type Next = RenderResponse | Promise<RenderResponse>;

/** How a step is shown, and what changes with it. */
export type Showing<Fields, State, Data, EventType extends string> = StepTexts & {
  /** What the fields hold before the caller changes them. */
  readonly values?: { readonly [Name in keyof Fields]?: unknown };
  /** Members of fields that are known only now: bounds, help, the options of a choice that was declared without. */
  readonly fields?: { readonly [Name in keyof Fields]?: Partial<Omit<FieldDeclaration, 'type' | 'required'>> };
  /** Left out: unchanged. */
  readonly state?: State | undefined;
  /** Members to replace in what the app keeps about this user. */
  readonly appData?: Partial<Data> | undefined;
  /** Members to remove from it. */
  readonly forget?: readonly (keyof Data & string)[] | undefined;
  readonly events?: readonly { readonly type: EventType; readonly data: JsonMembers }[] | undefined;
  readonly status?: RenderResponse['status'] | undefined;
};

/** A declared step. */
export type Step<Fields, Actions, State, Data, EventType extends string> = {
  readonly stepId: string;
  /** The answer that shows it. */
  show(showing?: Showing<Fields, State, Data, EventType>): RenderResponse;
  /** Refuses a submission: nothing happens, and the caller reads why, at the field where one is named. */
  reject(problems: string | { readonly [Name in keyof Fields]?: string }): RenderResponse;
  /** What an action of this step leads to. Once for each action. */
  on<Action extends keyof Actions & string>(
    action: Action,
    handle: (context: ActionContext<State, Data, SubmittedValues<Fields, Actions[Action]>>) => Next,
  ): void;
  /** The step as it is shown with these changes. */
  spec(showing?: Pick<Showing<Fields, State, Data, EventType>, keyof StepTexts | 'values' | 'fields'>): StepSpec;
};

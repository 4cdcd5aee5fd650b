/** The types derived from a step's declaration: the ids of its actions, and the values of its fields. */

import type { Field, JsonMembers, PaymentReceipt, RenderRequest, RenderResponse, StepSpec } from '../wire.ts';

/** A field; its name is the key in `fieldValues`. */
export type FieldDeclaration = Omit<Field, 'fieldId'>;
export type FieldDeclarations = Readonly<Record<string, FieldDeclaration>>;

/** The action's label, or its label and whether its fields are checked. */
export type ActionDeclaration = string | { readonly label: string; readonly validate?: boolean };
export type ActionDeclarations = Readonly<Record<string, ActionDeclaration>>;

/** The texts of a step; each may also be set when the step is shown. */
export type StepTexts = {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly options?: JsonMembers | undefined;
  /** x402: `{ accepts: [PaymentRequirements] }`. Each submission of the step then requires a payment. */
  readonly payment?: JsonMembers | undefined;
  readonly transaction?: JsonMembers | undefined;
  readonly channels?: JsonMembers | undefined;
};

export type StepDeclaration<Fields, Actions> = StepTexts & {
  readonly title: string;
  readonly fields?: Fields;
  readonly actions?: Actions;
  /** The session ends at this step. */
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

/** The values of a step's fields. Those of required fields that are always visible are present. */
export type ValuesOf<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends { readonly required: true }
    ? Fields[Name] extends { readonly visibleWhen: object }
      ? ValueOf<Fields[Name]> | undefined
      : ValueOf<Fields[Name]>
    : ValueOf<Fields[Name]> | undefined;
};

/** Values after an action with `validate: false` are not checked, so their types are unknown. */
export type SubmittedValues<Fields, Action> = Action extends { readonly validate: false }
  ? { readonly [Name in keyof Fields]: unknown }
  : ValuesOf<Fields>;

/** The context of a start handler. */
export type StartContext<State, Data> = {
  readonly state: State;
  /** The app data of this user. */
  readonly appData: Data;
  /** The data that the caller passed when starting the session. */
  readonly launchContext: JsonMembers;
  readonly session: RenderRequest['session'];
  /** The same on each delivery of this submission, or of this start if it has a key: use it as the idempotency key of effects in other systems. */
  readonly idempotencyKey: string | undefined;
  readonly request: RenderRequest;
};

export type ActionContext<State, Data, Values> = StartContext<State, Data> & {
  readonly values: Values;
  readonly idempotencyKey: string;
  /** Only on a step with a payment. */
  readonly paymentReceipt: PaymentReceipt | undefined;
};

export type Next = RenderResponse | Promise<RenderResponse>;

/** How a step is shown, and what changes with it. */
export type Showing<Fields, State, Data, EventType extends string> = StepTexts & {
  /** Initial values of the fields. */
  readonly values?: { readonly [Name in keyof Fields]?: unknown };
  /** Members of fields that are only known now: bounds, help, and the options of a choice declared without options. */
  readonly fields?: { readonly [Name in keyof Fields]?: Partial<Omit<FieldDeclaration, 'type' | 'required'>> };
  /** The new state. Omitted: unchanged. */
  readonly state?: State | undefined;
  /** Members of the user's app data to replace. */
  readonly appData?: Partial<Data> | undefined;
  /** Members of the user's app data to remove. */
  readonly forget?: readonly (keyof Data & string)[] | undefined;
  readonly events?: readonly { readonly type: EventType; readonly data: JsonMembers }[] | undefined;
  readonly status?: RenderResponse['status'] | undefined;
};

/** A declared step. */
export type Step<Fields, Actions, State, Data, EventType extends string> = {
  readonly stepId: string;
  /** Returns the answer that shows this step. */
  show(showing?: Showing<Fields, State, Data, EventType>): RenderResponse;
  /** Rejects a submission: the session does not change, and the caller reads the reason, at the named field if there is one. */
  reject(problems: string | { readonly [Name in keyof Fields]?: string }): RenderResponse;
  /** Sets the handler of an action. Each action can have one. */
  on<Action extends keyof Actions & string>(
    action: Action,
    handle: (context: ActionContext<State, Data, SubmittedValues<Fields, Actions[Action]>>) => Next,
  ): void;
  /** The step with these changes. */
  spec(showing?: Pick<Showing<Fields, State, Data, EventType>, keyof StepTexts | 'values' | 'fields'>): StepSpec;
};

/** A Flow App as a typed reducer: each step is declared once, and determines the types of its values, the state and the app data. */

import type { Field, JsonMembers, RenderRequest, RenderResponse, StepSpec } from '../wire.ts';
import { valueProblems } from './field-values.ts';
import { FlowAppError } from './flow-app-error.ts';
import type { FlowAppReducer } from './handler.ts';
import type {
  ActionContext,
  ActionDeclarations,
  FieldDeclaration,
  FieldDeclarations,
  Next,
  Showing,
  StartContext,
  Step,
  StepDeclaration,
  StepTexts,
} from './step-types.ts';

export type FlowAppDeclaration<State, Data, EventType extends string> = {
  /** `publisher/slug`. Omitted: the app answers for any id. */
  readonly appId?: string;
  /** Types of the app's own events, as its versions declare them. */
  readonly events?: readonly EventType[];
  /** Parses the state of the app's last answer; `{}` at the start. Omitted: any object. An error is a 500. */
  readonly state?: (json: JsonMembers) => State;
  /** Parses the stored app data of the user; an older version may have written it. Omitted: any object. An error is a 500. */
  readonly appData?: (json: JsonMembers) => Data;
};

export type FlowApp<State, Data, EventType extends string> = FlowAppReducer & {
  /** Declares a step. Each id can be declared once. */
  step<
    const Fields extends FieldDeclarations = Record<never, never>,
    const Actions extends ActionDeclarations = Record<never, never>,
  >(stepId: string, declaration: StepDeclaration<Fields, Actions>): Step<Fields, Actions, State, Data, EventType>;
  /** Declares a start step; the first one is the default. Without `handle` the step is shown as declared. */
  start(
    step: { readonly stepId: string; show(): RenderResponse },
    handle?: (context: StartContext<State, Data>) => Next,
  ): void;
  readonly stepIds: readonly string[];
  readonly startSteps: readonly string[];
  readonly eventTypes: readonly EventType[];
  /** What the app lacks: actions without a handler, no start step. Empty for an app that can be served. */
  readonly missing: () => readonly string[];
};

type Handler<State, Data> = (context: ActionContext<State, Data, JsonMembers>) => Next;

export function createFlowApp<State = JsonMembers, Data = JsonMembers, const EventType extends string = string>(
  declaration: FlowAppDeclaration<State, Data, EventType> = {},
): FlowApp<State, Data, EventType> {
  const { appId, events = [] } = declaration;
  const steps = new Map<string, StepSpec>();
  const starts = new Map<string, (context: StartContext<State, Data>) => Next>();
  const handlers = new Map<string, Handler<State, Data>>();
  const readState = declaration.state ?? asGiven<State>;
  const readData = declaration.appData ?? asGiven<Data>;
  const stepIds: string[] = [];
  const startSteps: string[] = [];

  function contextOf(request: RenderRequest): StartContext<State, Data> {
    const { session, launchContext = {}, submission } = request;
    const [state, appData] = [readState(request.state), readData(request.appData)];
    const idempotencyKey = submission?.idempotencyKey ?? request.idempotencyKey;
    return { state, appData, launchContext, session, idempotencyKey, request };
  }

  async function renderStep(request: RenderRequest): Promise<RenderResponse> {
    const { submission } = request;
    if (submission === undefined) {
      const start = starts.get(request.stepId);
      if (start === undefined) throw new FlowAppError([`No session of this app starts at ${quoted(request.stepId)}.`]);
      return start(contextOf(request));
    }
    const { stepId, actionId, fieldValues, idempotencyKey, paymentReceipt } = submission;
    const step = steps.get(stepId);
    const handle = handlers.get(keyOf(stepId, actionId));
    if (step === undefined || handle === undefined)
      throw new FlowAppError([`Nothing handles the action ${quoted(actionId)} of the step ${quoted(stepId)}.`]);
    return handle({ ...contextOf(request), values: fieldValues, idempotencyKey, paymentReceipt });
  }

  return {
    ...(appId === undefined ? {} : { appId }),
    ...{ stepIds, startSteps, eventTypes: events, renderStep },
    step(stepId, { fields, actions, terminal, ...texts }) {
      if (steps.has(stepId)) throw new TypeError(`The step ${quoted(stepId)} is declared twice.`);
      const declared = declaredSpec(stepId, texts, fields ?? {}, actions ?? {}, terminal);
      steps.set(stepId, declared);
      stepIds.push(stepId);
      return {
        stepId,
        spec: (showing = {}) => shownSpec(declared, showing),
        show: (showing = {}) => answerOf(shownSpec(declared, showing), showing),
        reject: (problems) => ({ step: declared, errors: errorsOf(problems) }),
        on(action, handle) {
          const key = keyOf(stepId, action);
          if (handlers.has(key))
            throw new TypeError(`The action ${quoted(action)} of ${quoted(stepId)} is handled twice.`);
          if (!declared.actions.some(({ actionId }) => actionId === action))
            throw new TypeError(`The step ${quoted(stepId)} has no action ${quoted(action)}.`);
          handlers.set(key, checkedFirst(declared, action, handle));
        },
      };
    },
    start(step, handle = () => step.show()) {
      if (!steps.has(step.stepId)) throw new TypeError(`The step ${quoted(step.stepId)} is another app's.`);
      starts.set(step.stepId, handle);
      if (!startSteps.includes(step.stepId)) startSteps.push(step.stepId);
    },
    missing: () => [
      ...(starts.size === 0 ? ['No session can start: call start(step).'] : []),
      ...[...steps.values()].flatMap(({ stepId, actions }) =>
        actions
          .filter(({ actionId }) => !handlers.has(keyOf(stepId, actionId)))
          .map(({ actionId }) => `Nothing handles the action ${quoted(actionId)} of the step ${quoted(stepId)}.`),
      ),
    ],
  };
}

/** Neither kind of id can contain a space. */
const keyOf = (stepId: string, actionId: string) => `${stepId} ${actionId}`;
const quoted = (name: string) => JSON.stringify(name);

/** Without a parser the author vouches for the type: the app itself wrote the value. */
function asGiven<T>(json: JsonMembers): T {
  if (isTaken<T>(json)) return json;
  throw new TypeError('unreachable');
}

function isTaken<T>(_json: unknown): _json is T {
  return true;
}

/**
 * Checks the submitted values against the declared step. The gateway has checked them against the shown step, but a session may be older than the code. A value
 * that does not fit is refused at its field.
 */
function checkedFirst<State, Data, Values>(
  step: StepSpec,
  actionId: string,
  handle: (context: ActionContext<State, Data, Values>) => Next,
): Handler<State, Data> {
  const isChecked = step.actions.find((each) => each.actionId === actionId)?.validate !== false;
  const fields = step.fields.map(({ min, max, pattern, ...field }) => field);
  return (context) => {
    const errors = isChecked ? valueProblems(fields, context.values) : [];
    if (errors.length > 0) return { step, errors };
    const { values, ...more } = context;
    return isTaken<Values>(values) ? handle({ ...more, values }) : { step };
  };
}

function declaredSpec(
  stepId: string,
  texts: StepTexts & { readonly title: string },
  fields: FieldDeclarations,
  actions: ActionDeclarations,
  terminal: boolean | undefined,
): StepSpec {
  const { title, ...more } = texts;
  return {
    ...{ stepId, title },
    fields: Object.entries(fields).map(([fieldId, field]) => ({ fieldId, ...field })),
    actions: Object.entries(actions).map(([actionId, action]) => ({
      actionId,
      ...(typeof action === 'string' ? { label: action } : action),
    })),
    ...withoutUndefined(more),
    ...(terminal === undefined ? {} : { terminal }),
  };
}

type Shown = StepTexts & {
  readonly values?: Readonly<Record<string, unknown>>;
  readonly fields?: Readonly<Record<string, Partial<FieldDeclaration> | undefined>>;
};

function shownSpec(declared: StepSpec, { values = {}, fields = {}, ...showing }: Shown): StepSpec {
  const { title, description, options, payment, transaction, channels } = showing;
  const texts = withoutUndefined({ title, description, options, payment, transaction, channels });
  const withNow = (field: Field): Field => {
    const { fieldId } = field;
    const value = Object.hasOwn(values, fieldId) ? values[fieldId] : undefined;
    const more = Object.hasOwn(fields, fieldId) ? withoutUndefined(fields[fieldId] ?? {}) : {};
    return { ...field, ...more, ...(value === undefined ? {} : { value }) };
  };
  return { ...declared, ...texts, fields: declared.fields.map(withNow) };
}

function withoutUndefined<T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const present: { [Name in keyof T]?: Exclude<T[Name], undefined> } = {};
  for (const name in members) {
    const value = members[name];
    if (isPresent(value)) present[name] = value;
  }
  return present;
}

function isPresent<T>(value: T): value is Exclude<T, undefined> {
  return value !== undefined;
}

function answerOf<Fields, State, Data>(step: StepSpec, showing: Showing<Fields, State, Data, string>): RenderResponse {
  const { state, appData, forget, events, status } = showing;
  return {
    step,
    ...(state === undefined ? {} : { state: asMembers(state) }),
    ...(appData === undefined && forget === undefined
      ? {}
      : { appData: withoutUndefined({ set: appData === undefined ? undefined : asMembers(appData), delete: forget }) }),
    ...withoutUndefined({ events, status }),
  };
}

/** The compiler does not treat a type without an index signature as a record. */
function asMembers(value: unknown): JsonMembers {
  return isTaken<JsonMembers>(value) ? value : {};
}

function errorsOf(problems: string | Readonly<Record<string, string | undefined>>) {
  if (typeof problems === 'string') return [{ message: problems }];
  return Object.entries(problems).flatMap(([fieldId, message]) => (message === undefined ? [] : { fieldId, message }));
}

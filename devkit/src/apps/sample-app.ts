/** A sample app: its publisher's description, its version's manifest and its reducer. */
import type { FlowAppReducer, RenderStep } from '@flowgate/client/flow-app';
import type {
  AppInput,
  JsonMembers,
  RenderRequest,
  RenderResponse,
  StepSpec,
  VersionInput,
} from '@flowgate/client/flow-wire';
import { type Address, createPublicClient, getAddress, http, isAddress, type PublicClient } from 'viem';

export type SampleApp = {
  readonly app: AppInput;
  readonly manifest: Pick<VersionInput, 'startSteps' | 'steps' | 'queries' | 'events'>;
  readonly renderStep: RenderStep;
};

/** The app's HTTP handler. An answer that does not match the manifest is refused. */
export function reducerOf({ app, manifest, renderStep }: SampleApp): FlowAppReducer {
  return {
    ...{ renderStep, appId: app.appId },
    stepIds: manifest.steps.map(({ stepId }) => stepId),
    eventTypes: (manifest.events ?? []).map(({ type }) => type),
  };
}

/** Short, because the chains of these apps are local. */
export function connectTo(rpcUrl: string): PublicClient {
  return createPublicClient({
    transport: http(rpcUrl, { retryCount: 0, timeout: 5_000 }),
    pollingInterval: 50,
    cacheTime: 0,
  });
}

/** Rejects the submission without an effect: the gateway answers 400 with this message. */
export function rejected(step: StepSpec, message: string, fieldId?: string): RenderResponse {
  return { step, errors: [fieldId === undefined ? { message } : { fieldId, message }] };
}

export type Submission = NonNullable<RenderRequest['submission']>;

/** The gateway has checked the fields against the step, except for actions with `validate: false`. */
export function textOf({ fieldValues }: Submission, fieldId: string): string {
  const value = fieldValues[fieldId];
  return typeof value === 'string' ? value : '';
}

export function addressOf(submission: Submission, fieldId: string): Address | undefined {
  const text = textOf(submission, fieldId);
  return isAddress(text, { strict: false }) ? getAddress(text.toLowerCase()) : undefined;
}

/** A list in the caller's app data with one entry appended, unless an entry has the same `key`. */
export function withEntry(appData: JsonMembers, name: string, key: string, entry: JsonMembers): readonly unknown[] {
  const stored = appData[name];
  const entries: readonly unknown[] = Array.isArray(stored) ? stored : [];
  const sameKey = (each: unknown) => typeof each === 'object' && each !== null && Reflect.get(each, key) === entry[key];
  return entries.some(sameKey) ? entries : [...entries, entry].slice(-maxEntries);
}

/** The oldest entries are dropped: app data has a bounded size. */
const maxEntries = 100;

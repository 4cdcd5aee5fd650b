/**
 * The bodies of the Flow routes, and of what passes between the gateway and a Flow App (contract/flow-apps). Longer than other files, because it is one list of types
 * without logic, which refer to each other and are imported together.
 */

import type { Timestamp } from './wire.ts';

/** Any JSON object. */
export type JsonMembers = Readonly<Record<string, unknown>>;

export type AppVisibility = 'public' | 'private';

/** `POST /flow/registry/apps`, request. */
export type AppInput = {
  /** `publisher/slug`. */
  appId: string;
  name: string;
  description?: string | null;
  /** Default `private`: visible to its owner only. */
  visibility?: AppVisibility | null;
};

/** A registered app. */
export type App = {
  appId: string;
  name: string;
  description?: string;
  visibility: AppVisibility;
  /** The version that a start without one would get; absent while none is active. */
  latestVersion?: string;
  createdAt: Timestamp;
};

export type QueryDeclaration = {
  queryId: string;
  /** JSON pointer (RFC 6901) into the caller's app data. */
  path: string;
};

/** `POST /flow/registry/apps/{appId}/versions`, request. */
export type VersionInput = {
  /** Strict semver. */
  version: string;
  /** `/renderStep` and `/health` are below it. */
  baseUrl: string;
  /** `whsec_…`; generated and returned once when left out. */
  signingSecret?: string | null;
  /** Steps that a session may start at; the first one is the default. Default: the first of `steps`. */
  startSteps?: readonly string[] | null;
  /** Every step that the app may render. */
  steps: readonly { stepId: string }[];
  queries?: readonly QueryDeclaration[] | null;
  /** Types of the app's own events. */
  events?: readonly { type: string }[] | null;
  /** Domains to which the texts of the app may lead, besides the host of `baseUrl`; those below them are included. */
  linkDomains?: readonly string[] | null;
};

export type Version = {
  appId: string;
  version: string;
  baseUrl: string;
  startSteps: readonly string[];
  steps: readonly { stepId: string }[];
  queries: readonly QueryDeclaration[];
  events: readonly { type: string }[];
  linkDomains: readonly string[];
  status: 'active' | 'retired';
  createdAt: Timestamp;
  /** Only in the answer that published it, and only when the gateway generated it. */
  signingSecret?: string;
};

export type FieldType =
  | 'text'
  | 'number'
  | 'boolean'
  | 'date'
  | 'select'
  | 'multiselect'
  | 'address'
  | 'amount'
  | 'signature'
  | 'signedTransaction'
  | 'txHash'
  | 'json'
  | 'secret';

export type Field = {
  fieldId: string;
  type: FieldType;
  label: string;
  required?: boolean;
  /** The field's value before the caller changes it; never present on `secret` fields. */
  value?: unknown;
  /** For `select` and `multiselect`. */
  options?: readonly { value: string; label: string }[];
  /** Anchored; evaluated in linear time (RE2 syntax). */
  pattern?: string;
  /** Inclusive. */
  min?: number | string;
  max?: number | string;
  help?: string;
  /** Shown, checked and submitted only while an earlier field of the step holds this value, or a `multiselect` has it among its own. */
  visibleWhen?: { fieldId: string; equals: string | number | boolean };
};

export type StepAction = {
  actionId: string;
  label: string;
  /** `false`: the fields are not checked. */
  validate?: boolean;
};

/** One step of an app, as a client shows it. */
export type StepSpec = {
  stepId: string;
  title: string;
  description?: string;
  fields: readonly Field[];
  actions: readonly StepAction[];
  options?: JsonMembers;
  /** x402: `{ accepts: [PaymentRequirements] }`. */
  payment?: JsonMembers;
  /** The transaction for the caller's wallet to sign. */
  transaction?: JsonMembers;
  terminal?: boolean;
  channels?: JsonMembers;
  /** Texts that the gateway's content filter could not judge, in the gateway's own words; absent when there are none. Show them beside the text. */
  warnings?: readonly StepWarning[];
};

/** A text of a step that may be honest or not: it may be about secrets, addressed to agents, or lead elsewhere than it seems. */
export type StepWarning = {
  /** The rule of the content filter. */
  ruleId: string;
  /** JSON pointer (RFC 6901) into the step; empty for the step as a whole. */
  pointer: string;
  /** The field that has the text, when a field has it. */
  fieldId?: string;
  /** For people. */
  message: string;
};

export type SessionStatus = 'active' | 'completed' | 'cancelled' | 'expired' | 'failed';

/** `POST /flow/sessions`, request. */
export type SessionInput = {
  appId: string;
  /** Default: the latest active one. */
  version?: string | null;
  startStepId?: string | null;
  launchContext?: JsonMembers | null;
};

export type Session = {
  sessionId: string;
  appId: string;
  version: string;
  status: SessionStatus;
  /** 1 after the start, one more with each committed transition. */
  stateVersion: number;
  currentStep: StepSpec;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  expiresAt: Timestamp;
  /** On the answer of a submission that was paid for. */
  paymentReceipt?: PaymentReceipt;
};

/** `POST /flow/sessions/{sessionId}/steps/{stepId}`, request. */
export type StepSubmission = {
  actionId: string;
  fieldValues?: JsonMembers | null;
  /** The session's, as the submitter knows it: an older one is refused. */
  stateVersion: number;
};

/** A settled x402 payment. */
export type PaymentReceipt = {
  success: true;
  /** The settlement's transaction hash. */
  transaction: string;
  /** CAIP-2, for example `eip155:8453`. */
  network: string;
  payer?: string;
  amount?: string;
  asset?: string;
  payTo?: string;
};

/** RFC 7807: every error below `/flow/`. */
export type ProblemDetails = {
  /** `urn:svc:error:<class>` */
  type: string;
  title: string;
  status: number;
  detail: string;
  /** Whether trying again may help; back off and limit the depth. */
  retryable: boolean;
  /** The request's id, as in `X-Request-Id`. */
  instance: string;
  /** On 400: all problems of the request, one entry each; with `fieldId` for a field of the step. */
  errors?: readonly { fieldId?: string; message: string }[];
  /** On the refusal of a submission that was paid for: the step need not be paid again. */
  paymentReceipt?: PaymentReceipt;
};

/** A 402: ProblemDetails with x402's own members. The header PAYMENT-REQUIRED has the same in base64. */
export type PaymentRequired = {
  type: 'urn:svc:error:payment-required';
  title: string;
  status: 402;
  detail: string;
  retryable: false;
  /** The request's id, as in `X-Request-Id`. */
  instance: string;
  x402Version: number;
  /** Why no payment was taken. */
  error: string;
  /** Any one of these pays for the step. */
  accepts: readonly JsonMembers[];
  resource: JsonMembers;
};

export type FlowEvent = {
  id: string;
  /** Counts from 1 in each session, without gaps. */
  sequence: number;
  type: string;
  timestamp: Timestamp;
  data: { sessionId?: string; appId: string; version: string; stateVersion?: number; readonly [more: string]: unknown };
};

/** `GET /flow/sessions/{sessionId}/events`. */
export type FlowEventPage = {
  data: readonly FlowEvent[];
  /** The last sequence of this page: pass it as `?after=`. */
  nextCursor?: string;
};

/** `POST /flow/apps/{appId}/subscriptions`, request. */
export type SubscriptionInput = {
  eventType: string;
  targetUrl: string;
  /** 16 characters or more; `whsec_…` generated and returned once when left out. */
  secret?: string | null;
};

export type Subscription = {
  subscriptionId: string;
  appId: string;
  eventType: string;
  targetUrl: string;
  status: 'active' | 'disabled';
  createdAt: Timestamp;
  /** Only in the answer that created it, and only when the gateway generated it. */
  secret?: string;
  /** Why deliveries stopped; present when disabled. */
  disabledReason?: string;
  disabledAt?: Timestamp;
};

/** The body of a request to a webhook endpoint, which is signed as Standard Webhooks define it. */
export type WebhookBody = Pick<FlowEvent, 'id' | 'type' | 'timestamp' | 'data'>;

/** `GET|POST /flow/queries/{appId}/{queryId}`. */
export type QueryResult = { data: unknown };

/** `POST {baseUrl}/renderStep`, from the gateway to the app. */
export type RenderRequest = {
  protocolVersion: '1';
  requestId: string;
  reason: 'start' | 'submit';
  session: {
    sessionId: string;
    appId: string;
    version: string;
    /** 0 for the start. */
    stateVersion: number;
    /** Stable, different for each app. */
    userId: string;
  };
  stepId: string;
  /** On a start that was sent with an idempotency key: derived from it, the same on every retry of this start. */
  idempotencyKey?: string;
  launchContext?: JsonMembers;
  /** The state of the app's last response; `{}` at the start. */
  state: JsonMembers;
  appData: JsonMembers;
  /** The app keeps more about this user than is allowed, and `appData` is only a part: deleting some of its names shows more. */
  appDataTruncated?: true;
  submission?: {
    stepId: string;
    actionId: string;
    fieldValues: JsonMembers;
    /** The same on every retry of one submission: an app that acts once for each never acts twice. */
    idempotencyKey: string;
    paymentReceipt?: PaymentReceipt;
  };
};

/** The app's answer. */
export type RenderResponse = {
  step: StepSpec;
  /** Left out: unchanged. */
  state?: JsonMembers;
  appData?: { set?: JsonMembers; delete?: readonly string[] };
  events?: readonly { type: string; data: JsonMembers }[];
  /** Default: `completed` on a terminal step, otherwise `active`. */
  status?: 'active' | 'completed' | 'failed';
  /** Not empty: the submission is answered 400 and nothing changes. */
  errors?: readonly { fieldId?: string; message: string }[];
};

/** Submits a step: reads and decides, acquires the session's lease, decides again, calls the app, and commits everything in one transaction (contract/sessions#submission). */

import { refusedFor, withProblems } from '@flowgate/body-schema/body-problems';
import type { CheckedValues } from '@flowgate/flow-format/fields/check-submission';
import { secretsOf } from '@flowgate/flow-format/secrets/secret-echo';
import { noSecrets, type SecretScan } from '@flowgate/flow-format/secrets/secret-mark';
import type { JsonObject } from '@flowgate/json/json-object';
import type { Caller } from '../../api/caller.ts';
import type { RouteRefusal } from '../../api/route.ts';
import type { Paid, PaymentGate } from '../payments/payment-gate.ts';
import { appRefusal } from '../registry/app-access.ts';
import type { VersionToRun } from '../registry/version.ts';
import type { Asker } from '../validation/asker-queue.ts';
import { decideSubmission, type Submission } from './decide-submission.ts';
import { lookAtSubmission } from './find-session.ts';
import { parseIdempotencyKey } from './idempotency-key.ts';
import { askApp, logUndeclared, readAnswer } from './render.ts';
import { type RenderSubject, submitRequest } from './render-request.ts';
import type { SessionRecord } from './session.ts';
import type { SessionDeps } from './session-deps.ts';
import { type LeasedSession, withSessionLease } from './session-lease.ts';
import { noRoom, sessionBusy, sessionTakenOver } from './session-refusals.ts';
import { parseSubmission } from './session-requests.ts';
import type { SessionSnapshot, StoredResponse, SubmissionSnapshot } from './session-store.ts';
import { changeByResponse, transitionOf } from './session-transition.ts';
import { sessionView } from './session-wire.ts';

export type StepRequest = {
  readonly caller: Caller;
  readonly sessionId: string;
  readonly stepId: string;
  readonly body: unknown;
  readonly header: (name: string) => string | null;
  readonly requestId: string;
  /** Called with the session's app. */
  readonly concerns?: ((appId: string) => void) | undefined;
};

export type Submitted = { readonly ok: true; readonly response: StoredResponse; readonly isReplay: boolean };

type Work = {
  readonly request: StepRequest;
  readonly submission: Submission;
  readonly idempotencyKey: string;
  readonly seen: SubmissionSnapshot | undefined;
  readonly version: VersionToRun | undefined;
};

type PaidWork = Work & { readonly version: VersionToRun; readonly fieldValues: JsonObject; readonly paid: Paid };

/**
 * A key with a stored response gets that response, regardless of the body. A refused submission changes nothing and may be repeated with the same key. Throws `Unavailable`; a
 * retry with the same key then returns the outcome.
 */
export async function submitStep(deps: SessionDeps, request: StepRequest): Promise<Submitted | RouteRefusal> {
  const key = parseIdempotencyKey(request.header('Idempotency-Key'));
  const submission = parseSubmission(request.stepId, request.body);
  if (!key.ok) return withProblems(key, submission);
  if (!submission.ok) return submission;
  const work = { request, submission: submission.value, idempotencyKey: key.value };
  const early = await lookAndDecide(deps, work);
  if (early.answer !== undefined) return early.answer;

  const { seen, version } = early;
  const wanted = { sessionId: request.sessionId, idempotencyKey: key.value, seen: seen?.session };
  const outcome = await withSessionLease(deps, wanted, (leased) => runLeased(deps, leased, { ...work, seen, version }));
  if (outcome === 'running') return sessionBusy;
  if (outcome !== 'over') return outcome;
  // The session ended after the first read, perhaps by a submission with this very key.
  const late = await lookAndDecide(deps, work);
  return late.answer ?? sessionBusy;
}

/** Without an `answer` the submission may run. */
async function lookAndDecide(
  deps: SessionDeps,
  { request, submission, idempotencyKey }: Omit<Work, 'seen' | 'version'>,
): Promise<{ readonly answer?: Submitted | RouteRefusal } & Pick<Work, 'seen' | 'version'>> {
  const { userId } = request.caller;
  const seen = await lookAtSubmission(deps, userId, request.sessionId, idempotencyKey);
  if (seen !== undefined) request.concerns?.(seen.session.appId);
  const denied = seen === undefined ? undefined : await appRefusal(deps, request.caller, seen.session.appId, seen.app);
  if (denied !== undefined) return { answer: denied, seen, version: undefined };
  const version = await versionOf(deps, seen);
  const decision = decideSubmission(seen, version, submission);
  if (decision.kind === 'replay') return { answer: replayed(decision.response), seen, version };
  const refusal =
    decision.kind === 'refusal'
      ? decision.refusal
      : await problemsOf(deps.matchPatterns, { userId, appId: seen?.session.appId ?? '' }, decision);
  if (refusal === undefined) return { seen, version };
  // Invalid values are reported without a search for an earlier receipt.
  if (decision.kind !== 'refusal') return { answer: refusal, seen, version };
  return { answer: await withEarlierReceipt(deps.payments, seen, submission, refusal), seen, version };
}

async function versionOf(
  { registry }: Pick<SessionDeps, 'registry'>,
  snapshot: SubmissionSnapshot | undefined,
): Promise<VersionToRun | undefined> {
  if (snapshot === undefined || snapshot.response !== undefined) return undefined;
  const { appId, version } = snapshot.session;
  return snapshot.version ?? registry.findVersion(appId, version);
}

/** Patterns are matched only here, before the lease: the step cannot change while `stateVersion` remains the same. */
async function problemsOf(
  matchPatterns: SessionDeps['matchPatterns'],
  asker: Asker,
  { problems, patterned }: CheckedValues,
): Promise<RouteRefusal | undefined> {
  const unmatched = await matchPatterns(asker, patterned);
  if ('reason' in unmatched) return problems.length === 0 ? unmatched : refusedFor(problems);
  const all = [...problems, ...unmatched];
  return all.length === 0 ? undefined : refusedFor(all);
}

async function runLeased(deps: SessionDeps, leased: LeasedSession, work: Work): Promise<Submitted | RouteRefusal> {
  const { session } = leased.snapshot;
  const { submission, version } = work;
  const decision = decideSubmission(leased.snapshot, version, submission);
  if (decision.kind === 'refusal') return decision.refusal;
  if (decision.kind === 'replay') return replayed(decision.response);
  if (decision.kind === 'wrong') return refusedFor(decision.problems);
  if (version === undefined) throw new Error('a submission without a version was to be run');
  const full = await beforePaying(deps, session);
  if (full !== undefined) return full;
  const paid = await deps.payments.pay({
    session,
    header: work.request.header,
    takenOver: async () => ((await leased.isOurs()) ? undefined : sessionTakenOver),
  });
  if (!paid.ok) return paid;
  const answer = await runPaid(deps, leased, { ...work, version, fieldValues: decision.values, paid });
  return answer.ok ? answer : withReceipt(answer, paid);
}

/** A user without room for the step must not pay for it. The commit decides. */
async function beforePaying(deps: SessionDeps, { userId, step }: SessionRecord): Promise<RouteRefusal | undefined> {
  if (step.payment === undefined) return undefined;
  const limits = { maxActive: Number.MAX_SAFE_INTEGER, userBytes: deps.bounds.userBytes };
  return (await deps.store.hasRoom(userId, limits)) === 'user-full' ? noRoom('user-full', deps.bounds) : undefined;
}

/** Charges for the step if it has a price, then calls the app. */
async function runPaid(deps: SessionDeps, leased: LeasedSession, work: PaidWork): Promise<Submitted | RouteRefusal> {
  const { session } = leased.snapshot;
  const { submission, version, fieldValues, paid } = work;
  const submitted = secretsOf(session.step, fieldValues);
  const [subject, secretsNow] = await Promise.all([
    renderSubject(deps, leased, work),
    // Stored before the app receives them: from then on the app may show them, regardless of the outcome of this submission.
    deps.secrets.remember(session.userId, session.appId, submitted),
  ]);
  if (!(await leased.isOurs())) return sessionTakenOver;
  const { stepId, actionId } = submission;
  const { idempotencyKey } = work;
  const request = submitRequest(subject, {
    stepId,
    actionId,
    fieldValues,
    idempotencyKey,
    paymentReceipt: paid.receipt,
  });
  const given = await askApp(deps, version, request);
  if (!given.ok) return given;
  const answered = { ...work, bytes: given.value };
  if (submitted.length === 0 && leased.userAndApp?.hasSecretMarks === false) {
    // The app has received no secret, so the marks are not read, and the commit verifies that there are none.
    const concluded = await conclude(deps, leased, { ...answered, secrets: 'assumed-none' });
    if (concluded !== 'marked') return concluded;
  }
  const concluded = await conclude(deps, leased, { ...answered, secrets: await secretsNow() });
  if (concluded === 'marked') throw new Error('a commit that read the marks of secrets was refused because of them');
  return concluded;
}

/** Reads the app's response and commits the transition. `marked`: there is a secret to search for, and nothing was written. */
async function conclude(
  deps: SessionDeps,
  leased: LeasedSession,
  work: PaidWork & { readonly bytes: Uint8Array; readonly secrets: SecretScan | 'assumed-none' },
): Promise<Submitted | RouteRefusal | 'marked'> {
  const { session } = leased.snapshot;
  const { version, bytes, paid, idempotencyKey } = work;
  const { stepId, actionId } = work.submission;
  const secretMarks = work.secrets === 'assumed-none';
  const secrets = work.secrets === 'assumed-none' ? noSecrets : work.secrets;
  const rendered = await readAnswer(deps, { userId: session.userId, version, bytes, secrets });
  if (!rendered.ok) {
    // A refusal shows texts of the app, too, and no commit checks it.
    const isMarked = secretMarks && (await deps.secrets.of(session.userId, session.appId)).marks.length > 0;
    return isMarked ? 'marked' : rendered;
  }
  const change = changeByResponse(rendered.response, { type: 'step_submitted', data: { stepId, actionId } });
  const transition = transitionOf(session, change, { ...deps, nowMs: deps.clock.now() });
  const response = responseOf(transition.session, paid);
  const unseen = { subscriptions: leased.userAndApp?.hasSubscriptions === false, secretMarks };
  const stored = { ...transition, response: { ...response, idempotencyKey } };
  const outcome = await leased.commit(stored, deps.bounds, unseen);
  if (outcome === 'committed') {
    logUndeclared(deps.log, version, rendered.undeclared);
    return { ok: true, response, isReplay: false };
  }
  if (outcome === 'marked') return outcome;
  return outcome === 'lost' ? sessionTakenOver : noRoom(outcome, deps.bounds);
}

/** The members of the render request other than the submission. */
async function renderSubject(
  deps: SessionDeps,
  { snapshot: { session }, userAndApp }: LeasedSession,
  { seen, request: { requestId } }: Work,
): Promise<RenderSubject> {
  const { userId, appId } = session;
  const [app, appData] = await Promise.all([
    seen?.app ?? deps.registry.findApp(appId),
    userAndApp?.appData ?? deps.store.appData(userId, appId),
  ]);
  if (app === undefined) throw new Error('a session whose app is not registered');
  return { requestId, app, session, appData };
}

function responseOf(session: SessionRecord, { receipt, headers }: Paid): StoredResponse {
  const view = sessionView(session);
  return { body: JSON.stringify(receipt === undefined ? view : { ...view, paymentReceipt: receipt }), headers };
}

function replayed(response: StoredResponse): Submitted {
  return { ok: true, response, isReplay: true };
}

/** Adds the receipt to a refusal if the caller has paid for the step, now or earlier. */
function withReceipt(refusal: RouteRefusal, { receipt, headers }: Paid): RouteRefusal {
  if (receipt === undefined) return refusal;
  const members = { ...refusal.members, paymentReceipt: receipt };
  return { ...refusal, members, headers: { ...refusal.headers, ...headers } };
}

/**
 * A session may end after its step was settled and before the caller got a response: for example, a gateway crashes, and the session expires before the caller repeats the
 * submission. The repeated submission still gets the receipt. Charges nothing.
 */
async function withEarlierReceipt(
  payments: Pick<PaymentGate, 'findReceipt'>,
  snapshot: SessionSnapshot | undefined,
  { stepId, stateVersion }: Pick<Submission, 'stepId' | 'stateVersion'>,
  refusal: RouteRefusal,
): Promise<RouteRefusal> {
  const session = snapshot?.session;
  // A canceled or expired session still has the step that was paid for.
  if (session?.step.payment === undefined || !['cancelled', 'expired'].includes(session.status)) return refusal;
  if (session.step.stepId !== stepId || session.stateVersion !== stateVersion + 1) return refusal;
  const paid = await payments.findReceipt({ sessionId: session.sessionId, stateVersion, stepId });
  return paid === undefined ? refusal : withReceipt(refusal, paid);
}

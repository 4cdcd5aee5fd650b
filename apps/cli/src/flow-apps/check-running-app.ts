/** Checks a running app against the contract: its health, its signatures and each start step (contract/flow-apps#downstream). */

import { type RandomBytes, randomName } from '@flowgate/base/random';
import { messageOf } from '@flowgate/base/text';
import type { RenderRequest } from '@flowgate/client';
import { checkAnswer, newSigningSecret, signMessage } from '@flowgate/client/flow-app';
import { createContentFilter } from '@flowgate/content-filter/content-filter';
import { parseResponse, readParsed } from '@flowgate/flow-format/app-responses/read-response';
import type { FlowAppManifest } from './manifest-file.ts';

export type AppFinding = {
  /** `true`: a gateway would refuse the app. Otherwise a note for the author. */
  readonly isProblem: boolean;
  readonly message: string;
};

export type RunningAppCheck = { readonly findings: readonly AppFinding[]; readonly rendered: readonly string[] };

export type RunningApp = {
  readonly manifest: FlowAppManifest;
  /** The app's base URL, without a trailing slash. */
  readonly url: string;
  /** The app's signing secret. Without it only the unsigned checks run. */
  readonly secret: string | undefined;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
};

/** The gateway's default timeout. */
const maxMs = 10_000;
const maxBytes = 1_048_576;
const oldMs = 600_000;

type Reply = { readonly status: number; readonly bytes: Uint8Array };

/** Throws the signal's reason when the signal is aborted. */
export async function checkRunningApp(app: RunningApp): Promise<RunningAppCheck> {
  const findings: AppFinding[] = [];
  const refuse = (message: string) => void findings.push({ isProblem: true, message });
  const rendered: string[] = [];
  const { manifest, secret } = app;
  const health = await ask(app, '/health', { method: 'GET' });
  if (typeof health === 'string') {
    refuse(`GET ${app.url}/health: ${health}`);
    return { findings, rendered };
  }
  if (health.status !== 200)
    refuse(`GET ${app.url}/health answered ${health.status}; a gateway publishes an app that answers 200`);

  const [first = ''] = startStepsOf(manifest);
  const unsigned = await post(app, startRequest(manifest, first), undefined);
  if (isOk(unsigned)) refuse('/renderStep answered a request without a signature: any client may call it');
  const forged = await post(app, startRequest(manifest, first), { secret: newSigningSecret(), atMs: app.now() });
  if (isOk(forged))
    refuse('/renderStep answered a request that was signed with another secret: any client may call it');
  if (secret === undefined) {
    findings.push({ isProblem: false, message: 'no step was rendered: set SIGNING_SECRET to what the app verifies' });
    return { findings, rendered };
  }
  const old = await post(app, startRequest(manifest, first), { secret, atMs: app.now() - oldMs });
  if (isOk(old))
    refuse('/renderStep answered a request that was signed ten minutes ago: a recorded one can be sent again');

  const contentFilter = createContentFilter({ disable: [], rules: [] });
  for (const stepId of startStepsOf(manifest)) {
    const place = `the start at ${stepId}`;
    const reply = await post(app, startRequest(manifest, stepId), { secret, atMs: app.now() });
    if (typeof reply === 'string') refuse(`${place}: ${reply}`);
    else if (!isOk(reply))
      refuse(
        `${place}: /renderStep answered ${reply.status}${reply.status === 401 ? '; is SIGNING_SECRET what the app verifies?' : ''}`,
      );
    else {
      const problems = problemsOf(reply.bytes, manifest, contentFilter, findings);
      for (const problem of problems) refuse(`${place}: ${problem}`);
      if (problems.length === 0) rendered.push(stepId);
    }
  }
  return { findings, rendered };
}

/** First all problems of the form, then those that only a gateway can find: patterns, payments and texts. */
function problemsOf(
  bytes: Uint8Array,
  { version }: FlowAppManifest,
  contentFilter: ReturnType<typeof createContentFilter>,
  findings: AppFinding[],
): readonly string[] {
  const parsed = parseResponse(bytes);
  if (!parsed.ok) return [parsed.detail];
  const stepIds = version.steps.map(({ stepId }) => stepId);
  const eventTypes = (version.events ?? []).map(({ type }) => type);
  const checked = checkAnswer(parsed.value, { stepIds, eventTypes });
  if (!checked.ok) return checked.problems;
  const read = readParsed(
    parsed.value,
    {
      manifest: { stepIds, eventTypes },
      secrets: { keys: [], marks: [] },
      linkDomains: [URL.parse(version.baseUrl)?.hostname ?? '', ...(version.linkDomains ?? [])],
    },
    contentFilter,
  );
  if (!read.ok) return [read.detail];
  if (read.checked.kind === 'rejected')
    return ['it rejects the start; a start has no input, so it must not be rejected'];
  for (const { ruleId, pointer, message } of read.checked.response.step.warnings ?? [])
    findings.push({ isProblem: false, message: `${pointer} will be shown with a warning (${ruleId}): ${message}` });
  return [];
}

export function startStepsOf({ version: { startSteps, steps } }: FlowAppManifest): readonly string[] {
  return startSteps ?? steps.slice(0, 1).map(({ stepId }) => stepId);
}

function startRequest({ app, version }: FlowAppManifest, stepId: string): RenderRequest {
  const sessionId = 'ses_00000000000000000000000000';
  const session = { sessionId, appId: app.appId, version: version.version, stateVersion: 0, userId: 'usr_validate' };
  return { protocolVersion: '1', requestId: 'req_validate', reason: 'start', session, stepId, state: {}, appData: {} };
}

type Signature = { readonly secret: string; readonly atMs: number };

async function post(
  app: RunningApp,
  request: RenderRequest,
  signature: Signature | undefined,
): Promise<Reply | string> {
  const body = JSON.stringify(request);
  const id = `msg_${randomName(app.randomBytes)}`;
  const signed = signature === undefined ? {} : await signMessage({ ...signature, id, body });
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json', ...signed };
  return ask(app, '/renderStep', { method: 'POST', headers, body });
}

/** The answer, or the reason why there is none. */
async function ask({ url, signal }: RunningApp, path: string, init: RequestInit): Promise<Reply | string> {
  const late = AbortSignal.timeout(maxMs);
  try {
    const response = await fetch(`${url}${path}`, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.any([signal, late]),
    });
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of response.body ?? []) {
      bytes += piece.length;
      if (bytes > maxBytes) return 'the answer is larger than 1 MiB';
      pieces.push(piece);
    }
    return { status: response.status, bytes: Buffer.concat(pieces) };
  } catch (error) {
    signal.throwIfAborted();
    return late.aborted ? `no answer within ${maxMs / 1000} seconds` : `no answer: ${messageOf(error)}`;
  }
}

function isOk(reply: Reply | string): boolean {
  return typeof reply !== 'string' && reply.status >= 200 && reply.status <= 299;
}

/** Calls an app for the next step and turns its response into a checked one, or into a refusal. */

import { type Ok, refused } from '@flowgate/base/result';
import type { AppError, StepResponse } from '@flowgate/flow-format/app-responses/checked-response';
import { linkDomainsOf } from '@flowgate/flow-format/manifest/manifest';
import type { SecretScan } from '@flowgate/flow-format/secrets/secret-mark';
import type { Log } from '@flowgate/telemetry/log';
import type { RouteRefusal } from '../../api/route.ts';
import type { OpenFlowApp } from '../apps/flow-app.ts';
import type { RenderRequest } from '../apps/render-request-wire.ts';
import type { VersionToRun } from '../registry/version.ts';
import type { ReadResponse } from '../validation/read-large-responses.ts';
import type { AppDataChange } from './session-store.ts';

export type RenderDeps = {
  readonly openApp: OpenFlowApp;
  readonly readResponse: ReadResponse;
  readonly log: Log;
};

type Version = Omit<VersionToRun, 'status'>;

export type RenderCall = {
  readonly userId: string;
  readonly version: Version;
  readonly request: RenderRequest;
  /** The secrets that the response must not contain, including those that the app has received in other sessions in the meantime. */
  readonly secretsNow: () => Promise<SecretScan>;
};

export type Rendered = { readonly ok: true; readonly response: StepResponse } | RouteRefusal;

/** `undeclared`: the types of dropped events, as texts of the app. */
export type ReadAnswer =
  | { readonly ok: true; readonly response: StepResponse; readonly undeclared: readonly string[] }
  | RouteRefusal;

/**
 * `bad-request`: the app refused the submission. `bad-gateway`: its response cannot be used. Never throws because of the app. `secretsNow` is called when the response has
 * arrived; its errors are thrown.
 */
export async function render(
  deps: RenderDeps,
  { userId, version, request, secretsNow }: RenderCall,
): Promise<Rendered> {
  const given = await askApp(deps, version, request);
  if (!given.ok) return given;
  const read = await readAnswer(deps, { userId, version, bytes: given.value, secrets: await secretsNow() });
  if (read.ok) logUndeclared(deps.log, version, read.undeclared);
  return read;
}

/** The first half of `render`: the unchecked bytes of the response. */
export async function askApp(
  { openApp }: Pick<RenderDeps, 'openApp'>,
  version: Version,
  request: RenderRequest,
): Promise<Ok<Uint8Array> | RouteRefusal> {
  const given = await openApp(version).render(request);
  return given.ok ? given : unusable(given.detail, given.retryable);
}

/** The second half of `render`, without its log messages, because only the caller knows whether all secrets were searched for. */
export async function readAnswer(
  deps: Pick<RenderDeps, 'readResponse'>,
  given: {
    readonly userId: string;
    readonly version: Version;
    readonly bytes: Uint8Array;
    readonly secrets: SecretScan;
  },
): Promise<ReadAnswer> {
  const { userId, version, bytes, secrets } = given;
  const { appId, manifest } = version;
  const reading = await deps.readResponse(
    { userId, appId },
    {
      ...{ bytes, manifest, secrets },
      linkDomains: linkDomainsOf(manifest),
    },
  );
  if (!reading.ok) return unusable(reading.detail, reading.retryable);
  const { checked } = reading;
  if (checked.kind === 'rejected') return rejected(checked.errors);
  const problem = problemOfAppData(checked.response.appData);
  if (problem !== undefined) return unusable(problem);
  return { ok: true, response: checked.response, undeclared: checked.undeclared };
}

/** The types are texts of the app, so they are logged only if they certainly contain no secret. */
export function logUndeclared(log: Log, { appId, version }: Version, undeclared: readonly string[]): void {
  if (undeclared.length > 0)
    log.warn('flow.events-undeclared', { appId, version, types: undeclared.join(' ').slice(0, 200) });
}

function unusable(detail: string, retryable = false): RouteRefusal {
  return { ...refused('bad-gateway', detail), retryable };
}

function rejected(errors: readonly AppError[]): RouteRefusal {
  const sentences = errors.map(({ fieldId, message }) => (fieldId === undefined ? message : `${fieldId}: ${message}`));
  return { ...refused('bad-request', sentences.join('; ')), members: { errors } };
}

/** No storage engine preserves such names. */
function problemOfAppData({ set, delete: deleted }: AppDataChange): string | undefined {
  const isOdd = (name: string) => name.includes('\0') || !name.isWellFormed();
  return Object.keys(set).some(isOdd) || deleted.some(isOdd)
    ? "The Flow App's answer names app data with a NUL or half a surrogate pair."
    : undefined;
}

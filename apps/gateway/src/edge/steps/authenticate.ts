/** Verifies the credential; later steps know the caller (contract/credentials#missing-and-invalid, contract/limits#invalid-credentials). */

import type { Authentication } from '../../api/authenticator.ts';
import type { AccessControl } from '../contexts/access-control.ts';
import type { StepResult } from '../contexts/pipeline.ts';
import type { Refusal, RequestContext } from '../contexts/request-context.ts';

const missing: Refusal = { reason: 'credential-missing' };
const malformed: Refusal = {
  reason: 'credential-missing',
  detail: 'The Authorization header must be "Bearer", one space, and a token or API key without quotes.',
};
const invalid: Refusal = { reason: 'credential-invalid' };
const unverifiable: Refusal = { reason: 'credential-unverifiable' };
const limited: Refusal = {
  reason: 'rate-limited',
  detail: 'Too many invalid credentials from this address: wait, then send a valid one.',
};

/** Synchronous when a cached key decides, so that the hot path has no promise. */
export function authenticate(
  { authenticator }: Pick<AccessControl, 'authenticator'>,
  context: RequestContext,
): StepResult {
  const { credential } = context;
  if (credential.kind === 'missing') return missing;
  if (credential.kind === 'malformed') return malformed;
  context.keyChanges = authenticator.keyChanges();
  const pending = authenticator.authenticate(credential, context);
  return pending instanceof Promise ? pending.then((found) => conclude(context, found)) : conclude(context, pending);
}

function conclude(context: RequestContext, found: Authentication): Refusal | undefined {
  if (found.kind === 'caller') {
    context.setCaller(found.caller);
    context.credentialEndsAtMs = found.expiresAtMs;
    return undefined;
  }
  if (found.kind === 'refused') return found.reason === 'credential-invalid' ? invalid : unverifiable;
  context.admission = found.admission;
  return limited;
}

/**
 * Verifies the credential again when the body took long to arrive: the key may have been revoked or expired meanwhile, or its cached verification may be too
 * old.
 */

import type { AccessControl } from '../contexts/access-control.ts';
import type { StepResult } from '../contexts/pipeline.ts';
import type { RequestContext } from '../contexts/request-context.ts';
import { authenticate } from './authenticate.ts';

/** A verification before the body is valid for this time while the body arrives. */
const trustedWhileReadingMs = 250;

export function verifyAgain(
  access: Pick<AccessControl, 'authenticator' | 'clock'>,
  context: RequestContext,
): StepResult {
  const { authenticator, clock } = access;
  const nowMs = clock.monotonic();
  const isFresh =
    authenticator.keyChanges() === context.keyChanges && nowMs - context.authenticatedMs <= trustedWhileReadingMs;
  if (isFresh) return undefined;
  context.authenticatedMs = nowMs;
  context.setCaller(undefined);
  return authenticate(access, context);
}

/** Verifies the credential once more when the body took its time: the key may have been revoked or have expired meanwhile, or what is known of it have grown too old. */

import type { AccessControl } from '../contexts/access-control.ts';
import type { StepResult } from '../contexts/pipeline.ts';
import type { RequestContext } from '../contexts/request-context.ts';
import { identify } from './identify.ts';

/** A body that took longer than this to arrive is not believed to come with the credential that its head came with. */
const trustedWhileReadingMs = 250;

export function verifyAgain(
  access: Pick<AccessControl, 'authenticator' | 'clock'>,
  context: RequestContext,
): StepResult {
  const { authenticator, clock } = access;
  const nowMs = clock.monotonic();
  const isFresh =
    authenticator.keyChanges() === context.keyChanges && nowMs - context.identifiedMs <= trustedWhileReadingMs;
  if (isFresh) return undefined;
  context.identifiedMs = nowMs;
  context.identifyAs(undefined);
  return identify(access, context);
}

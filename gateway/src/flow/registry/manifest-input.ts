/** What a version declares about itself, checked: the same for apps that answer over HTTP and for embedded ones (contract/flow-apps#registry). */

import { z } from 'zod';
import { mustBe, optional } from '../../api/body-members.ts';
import { isManifestName } from './app-id.ts';
import { loggedEventTypes, platformEventTypes } from './event-types.ts';
import { isSemanticVersion } from './semantic-version.ts';
import type { Manifest } from './version.ts';

const maxSteps = 200;
const maxDeclarations = 100;

const name = z.string(mustBe('a string')).refine(isManifestName, {
  error: 'must be 1 to 64 letters, digits, dots, dashes or underscores, a letter or digit first',
});
const eventType = name.refine((type) => ![...platformEventTypes, ...loggedEventTypes].some((own) => own === type), {
  error: "must not be one of the platform's own types",
});
const pointer = z
  .string(mustBe('a string'))
  .refine((text) => text.length <= 512 && text.isWellFormed() && /^(?:\/(?:[^~/]|~[01])*)*$/u.test(text), {
    error: 'must be a JSON pointer (RFC 6901) of at most 512 characters',
  });

/** Counted before the entries are looked at: a body of millions of wrong ones costs nothing. */
function listOf<T>(of: z.ZodType<T>, min: number, max: number): z.ZodType<T[]> {
  return z
    .unknown()
    .superRefine((value, context) => {
      // Ends the check: what looks at members together needs them to be lists.
      const refuse = (message: string) => context.addIssue({ code: 'custom', message, continue: false });
      if (value === undefined || value === null) refuse('is required');
      else if (!Array.isArray(value)) refuse('must be an array');
      else if (value.length < min || value.length > max) refuse(`must have ${min} to ${max} entries`);
    })
    .pipe(z.array(of));
}

const object = <S extends z.core.$ZodLooseShape>(shape: S) => z.object(shape, mustBe('an object'));

export const versionSchema = z.string(mustBe('a string')).refine(isSemanticVersion, {
  error: 'must be a semantic version (semver.org) of at most 128 characters, such as 1.0.0',
});

/** Members of a manifest; `declared` looks at them together. */
export const manifestShape = {
  startSteps: optional(listOf(name, 1, maxSteps)),
  steps: listOf(object({ stepId: name }), 1, maxSteps),
  queries: optional(listOf(object({ queryId: name, path: pointer }), 0, maxDeclarations)),
  events: optional(listOf(object({ type: eventType }), 0, maxDeclarations)),
};

type Members = z.output<z.ZodObject<typeof manifestShape>>;

/** For `superRefine`: what only shows when members are read together. */
export function checkTogether(
  { startSteps, steps, queries = [], events = [] }: Members,
  context: z.RefinementCtx,
): void {
  const refuse = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message });
  const stepIds = steps.map(({ stepId }) => stepId);
  refuseDoubles(stepIds, (at) => refuse(['steps', at, 'stepId'], 'is there twice'));
  refuseDoubles(startSteps ?? [], (at) => refuse(['startSteps', at], 'is there twice'));
  refuseDoubles(
    queries.map(({ queryId }) => queryId),
    (at) => refuse(['queries', at, 'queryId'], 'is there twice'),
  );
  refuseDoubles(
    events.map(({ type }) => type),
    (at) => refuse(['events', at, 'type'], 'is there twice'),
  );
  const stranger = (startSteps ?? []).findIndex((stepId) => !stepIds.includes(stepId));
  if (stranger >= 0) refuse(['startSteps', stranger], 'must be one of steps');
}

/** With defaults filled in. */
export function manifestOf(baseUrl: string, { startSteps, steps, queries = [], events = [] }: Members): Manifest {
  const stepIds = steps.map(({ stepId }) => stepId);
  return {
    baseUrl,
    startSteps: startSteps ?? stepIds.slice(0, 1),
    stepIds,
    queries: queries.map(({ queryId, path }) => ({ queryId, path })),
    eventTypes: events.map(({ type }) => type),
  };
}

function refuseDoubles(names: readonly string[], refuse: (at: number) => void): void {
  const second = names.findIndex((each, at) => names.indexOf(each) < at);
  if (second >= 0) refuse(second);
}

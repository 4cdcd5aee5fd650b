/** Validates the manifest of a version, for apps called over HTTP and for embedded apps (contract/flow-apps#registry). */

import { listOf, mustBe, optional } from '@flowgate/body-schema/body-members';
import { z } from 'zod';
import { loggedEventTypes, platformEventTypes } from './event-types.ts';
import type { Manifest } from './manifest.ts';
import { linkDomain, manifestName } from './registry-members.ts';

const maxSteps = 200;
const maxDeclarations = 100;
const maxLinkDomains = 50;
const maxPointerLength = 512;

/** Both checks have the same message, so that the problem is reported once. Neither check aborts, so that problems between members are reported too. */
const badPointer = { error: `must be a JSON pointer (RFC 6901) of at most ${maxPointerLength} characters` };
const pointer = () =>
  z
    .string(mustBe('a string'))
    .max(maxPointerLength, badPointer)
    .regex(/^(?:\/(?:[^~/]|~[01])*)*$/u, badPointer)
    .refine((text) => text.isWellFormed(), badPointer)
    .describe('JSON pointer (RFC 6901) into the app data.');

const object = <S extends z.core.$ZodLooseShape>(shape: S) => z.object(shape, mustBe('an object'));

const stepDeclaration = () => object({ stepId: manifestName() });
const queryDeclaration = () => object({ queryId: manifestName(), path: pointer() });
const ownEventType = () =>
  manifestName().refine((type) => ![...platformEventTypes, ...loggedEventTypes].some((own) => own === type), {
    error: "must not be one of the platform's own types",
  });

const texts = {
  startSteps: 'The steps at which a session may start. Default: the first step.',
  steps: 'All steps that the app may render.',
  queries: "The queries of the caller's app data.",
  events: "The types of the app's events.",
  linkDomains:
    "The domains to which the app's texts may link, including their subdomains, in addition to the host of `baseUrl`.",
};

/** The members of a manifest as published; `checkTogether` compares them with each other. */
export const manifestInput = () => ({
  startSteps: optional(listOf(manifestName(), { min: 1, max: maxSteps })).describe(texts.startSteps),
  steps: listOf(stepDeclaration(), { min: 1, max: maxSteps }).describe(texts.steps),
  queries: optional(listOf(queryDeclaration(), { min: 0, max: maxDeclarations })).describe(texts.queries),
  events: optional(listOf(object({ type: ownEventType() }), { min: 0, max: maxDeclarations })).describe(texts.events),
  linkDomains: optional(listOf(linkDomain(), { min: 0, max: maxLinkDomains })).describe(texts.linkDomains),
});

/** The members of a manifest in responses, including defaults. */
export const manifestMembers = () => ({
  startSteps: z.array(manifestName()).min(1).max(maxSteps).describe(texts.startSteps),
  steps: z.array(stepDeclaration()).min(1).max(maxSteps).describe(texts.steps),
  queries: z.array(queryDeclaration()).max(maxDeclarations).describe(texts.queries),
  events: z
    .array(object({ type: manifestName() }))
    .max(maxDeclarations)
    .describe(texts.events),
  linkDomains: z.array(linkDomain()).max(maxLinkDomains).describe(texts.linkDomains),
});

type Members = z.output<z.ZodObject<ReturnType<typeof manifestInput>>>;

/** For `superRefine`: problems between several members. */
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

/** Fills in the defaults. */
export function manifestOf(
  baseUrl: string,
  { startSteps, steps, queries = [], events = [], linkDomains = [] }: Members,
): Manifest {
  const stepIds = steps.map(({ stepId }) => stepId);
  return {
    baseUrl,
    startSteps: startSteps ?? stepIds.slice(0, 1),
    stepIds,
    queries: queries.map(({ queryId, path }) => ({ queryId, path })),
    eventTypes: events.map(({ type }) => type),
    linkDomains,
  };
}

function refuseDoubles(names: readonly string[], refuse: (at: number) => void): void {
  const second = names.findIndex((each, at) => names.indexOf(each) < at);
  if (second >= 0) refuse(second);
}

/** A request's pipeline as a list of steps: each lets the request go on or refuses it; after the last one the work is done. */

import type { OutgoingReply } from '@flowgate/http1/server/incoming-request';
import type { Refusal, RequestContext } from './request-context.ts';

/** Undefined: the request goes on. A promise only when the step has to wait. */
export type StepResult = Refusal | undefined | Promise<Refusal | undefined>;

/** A step takes the services that it needs, and stores what it finds out in the context. */
export type Step<Services, Context> = (services: Services, context: Context) => StepResult;

export type Pipeline<Services, Context, Result> = {
  readonly steps: readonly Step<Services, Context>[];
  /** The work that the request asks for, once every step has let it go on. */
  readonly run: (services: Services, context: Context) => Result | Promise<Result>;
  readonly reply: (services: Services, context: Context, result: Result) => OutgoingReply | Promise<OutgoingReply>;
  readonly refuse: (services: Services, context: Context, refusal: Refusal) => OutgoingReply | Promise<OutgoingReply>;
};

/** Awaits promises only: a request whose steps are all synchronous reaches its work in the same turn of the event loop. */
export async function runPipeline<Services, Context extends RequestContext, Result>(
  { steps, run, reply, refuse }: Pipeline<Services, Context, Result>,
  services: Services,
  context: Context,
): Promise<OutgoingReply> {
  // By index: an iterator would be an allocation for each request.
  for (let at = 0; at < steps.length; at++) {
    const pending = steps[at]?.(services, context);
    const refusal = pending instanceof Promise ? await pending : pending;
    if (refusal !== undefined) return refuse(services, context, refusal);
  }
  const pending = run(services, context);
  return reply(services, context, pending instanceof Promise ? await pending : pending);
}

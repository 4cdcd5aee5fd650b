/** A request's pipeline: a list of steps, each of which lets the request continue or refuses it. After the last step, `run` answers the request. */

import type { OutgoingReply } from '@flowgate/http1/server/incoming-request';
import type { Refusal, RequestContext } from './request-context.ts';

/** Undefined: the request continues. A promise only when the step has to wait. */
export type StepResult = Refusal | undefined | Promise<Refusal | undefined>;

/** A step takes the services that it needs and stores its findings in the context. */
export type Step<Services, Context> = (services: Services, context: Context) => StepResult;

type Reply = OutgoingReply | Promise<OutgoingReply>;

export type Pipeline<Services, Context, Result> = {
  readonly steps: readonly Step<Services, Context>[];
  readonly refuse: (services: Services, context: Context, refusal: Refusal) => Reply;
} & (
  | {
      /** Answers the request after all steps have let it continue. */
      readonly run: (services: Services, context: Context) => Result | Promise<Result>;
      readonly reply: (services: Services, context: Context, result: Result) => Reply;
    }
  | { readonly run: (services: Services, context: Context) => Reply; readonly reply?: undefined }
);

/**
 * Returns a promise only when a step or `run` has to wait: a request that is decided from memory is answered without a promise in the turn of the event loop
 * in which it arrives (docs/decisions/0059). `from`: the first step to run.
 */
export function runPipeline<Services, Context extends RequestContext, Result>(
  pipeline: Pipeline<Services, Context, Result>,
  services: Services,
  context: Context,
  from = 0,
): Reply {
  const { steps } = pipeline;
  // By index: an iterator would be an allocation for each request.
  for (let at = from; at < steps.length; at++) {
    const refusal = steps[at]?.(services, context);
    if (refusal instanceof Promise) return continued(pipeline, services, context, refusal, at + 1);
    if (refusal !== undefined) return pipeline.refuse(services, context, refusal);
  }
  if (pipeline.reply === undefined) return pipeline.run(services, context);
  const { reply } = pipeline;
  const result = pipeline.run(services, context);
  return result instanceof Promise ? replied(reply, services, context, result) : reply(services, context, result);
}

/** This and `replied` are separate functions, so that only a request that waits allocates a closure. */
function continued<Services, Context extends RequestContext, Result>(
  pipeline: Pipeline<Services, Context, Result>,
  services: Services,
  context: Context,
  pending: Promise<Refusal | undefined>,
  next: number,
): Promise<OutgoingReply> {
  return pending.then((refusal) =>
    refusal === undefined
      ? runPipeline(pipeline, services, context, next)
      : pipeline.refuse(services, context, refusal),
  );
}

function replied<Services, Context, Result>(
  reply: (services: Services, context: Context, result: Result) => Reply,
  services: Services,
  context: Context,
  pending: Promise<Result>,
): Promise<OutgoingReply> {
  return pending.then((result) => reply(services, context, result));
}

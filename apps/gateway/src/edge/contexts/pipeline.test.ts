import { expect, test } from 'bun:test';
import { anyRequest, contextParts } from '../../../test/fixtures/context-parts.ts';
import { type Pipeline, runPipeline, type StepResult } from './pipeline.ts';
import { type Refusal, RequestContext } from './request-context.ts';

const limited: Refusal = { reason: 'rate-limited' };
const contexts = contextParts();
const context = () => new RequestContext(anyRequest(), '/', 'r1', contexts);

/** A pipeline whose steps answer as told, and the names of whatever was called, in order. */
function pipelineOf(...results: readonly (() => StepResult)[]) {
  const called: string[] = [];
  const pipeline: Pipeline<unknown, RequestContext, string> = {
    steps: results.map((result, at) => () => {
      called.push(`step ${at}`);
      return result();
    }),
    run: () => {
      called.push('run');
      return 'done';
    },
    reply: (_services, each, result) => {
      called.push(`reply ${result}`);
      return each.reply(200, result, 'text/plain');
    },
    refuse: (_services, each, refusal) => {
      called.push(`refuse ${refusal.reason}`);
      return each.refuse(refusal.reason, refusal);
    },
  };
  return { called, pipeline };
}

test('steps are taken in their order, then the work is done and its result told', async () => {
  const { called, pipeline } = pipelineOf(
    () => undefined,
    async () => undefined,
    () => undefined,
  );
  expect((await runPipeline(pipeline, {}, context())).status).toBe(200);
  expect(called).toEqual(['step 0', 'step 1', 'step 2', 'run', 'reply done']);
});

for (const [when, refused] of [
  ['at once', () => limited],
  ['later', async () => limited],
] as const)
  test(`nothing is asked after a step that refuses ${when}`, async () => {
    const { called, pipeline } = pipelineOf(
      () => undefined,
      refused,
      () => undefined,
    );
    expect((await runPipeline(pipeline, {}, context())).status).toBe(429);
    expect(called).toEqual(['step 0', 'step 1', 'refuse rate-limited']);
  });

test('where every step answers at once, the work begins in the turn in which the request came', () => {
  const { called, pipeline } = pipelineOf(
    () => undefined,
    () => undefined,
  );
  runPipeline(pipeline, {}, context());
  expect(called).toEqual(['step 0', 'step 1', 'run', 'reply done']);
});

test('what a step throws rejects: it is no refusal, and nothing after it is asked', async () => {
  const { called, pipeline } = pipelineOf(
    () => {
      throw new Error('a bug');
    },
    () => undefined,
  );
  expect(runPipeline(pipeline, {}, context())).rejects.toThrow('a bug');
  expect(called).toEqual(['step 0']);
});

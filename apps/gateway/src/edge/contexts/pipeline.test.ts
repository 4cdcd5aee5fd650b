import { expect, test } from 'bun:test';
import { anyRequest, contextDeps } from '../../../test/fixtures/context-deps.ts';
import { type Pipeline, runPipeline, type StepResult } from './pipeline.ts';
import { type Refusal, RequestContext } from './request-context.ts';

const limited: Refusal = { reason: 'rate-limited' };
const contexts = contextDeps();
const context = () => new RequestContext(anyRequest(), '/', 'r1', contexts);

/** A pipeline whose steps return the given results, and the names of all called functions, in order. */
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

test('steps run in order, then `run` runs and its result is the reply', async () => {
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
  test(`no step runs after a step that refuses ${when}`, async () => {
    const { called, pipeline } = pipelineOf(
      () => undefined,
      refused,
      () => undefined,
    );
    expect((await runPipeline(pipeline, {}, context())).status).toBe(429);
    expect(called).toEqual(['step 0', 'step 1', 'refuse rate-limited']);
  });

test('when every step is synchronous, `run` starts in the turn in which the request arrives', () => {
  const { called, pipeline } = pipelineOf(
    () => undefined,
    () => undefined,
  );
  expect(runPipeline(pipeline, {}, context())).not.toBeInstanceOf(Promise);
  expect(called).toEqual(['step 0', 'step 1', 'run', 'reply done']);
});

for (const [when, thrown] of [
  [
    'at once',
    () => {
      throw new Error('a bug');
    },
  ],
  ['later', () => Promise.reject(new Error('a bug'))],
] as const)
  test(`an exception that a step throws ${when} is no refusal, and no later step runs`, async () => {
    const { called, pipeline } = pipelineOf(thrown, () => undefined);
    await expect((async () => runPipeline(pipeline, {}, context()))()).rejects.toThrow('a bug');
    expect(called).toEqual(['step 0']);
  });

test('a pipeline without `reply` returns the result of `run`, synchronous or not', async () => {
  const done = context().reply(200, 'done', 'text/plain');
  const refuse = () => done;
  expect(runPipeline({ steps: [() => undefined], run: () => done, refuse }, {}, context())).toBe(done);
  expect(await runPipeline({ steps: [async () => undefined], run: async () => done, refuse }, {}, context())).toBe(
    done,
  );
});

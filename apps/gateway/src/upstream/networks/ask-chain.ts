/** Sends several requests of the gateway itself to the nodes of an EVM network as one batch. */

import { runInSlices, type TimeSlices } from '@flowgate/async/time-slices';
import { rangeOf } from '@flowgate/bytes/byte-range';
import type { ElementAnswers, JsonText, NodePort, TextAnswer } from '../port/node-port.ts';

export type ChainQuestion = { readonly method: string; readonly params: readonly unknown[] };

/** Timeout of the batch, and of each request if the node refuses batches. */
const timeoutMs = 10_000;

/** The results in the order of the questions; undefined for a question without a result. Undefined if no node answered. Never rejects. */
export async function askChain(
  pool: NodePort,
  slices: TimeSlices,
  questions: readonly ChainQuestion[],
): Promise<readonly unknown[] | undefined> {
  const asked = questions.map(({ method, params }) => ({ method, params: rangeOf(JSON.stringify(params)) }));
  const reply = await pool.sendBatch({ questions: asked, repeatable: true, timeoutMs });
  if (!reply.ok) return undefined;
  const { answer } = reply;
  // The gateway's own requests never yield a buffered answer.
  if (answer.kind === 'batch') return parsed(slices, answer.answers);
  if (answer.kind === 'buffered') {
    answer.release();
    return undefined;
  }
  return oneByOne(pool, slices, asked);
}

/** Fallback for a node that refuses batches. */
async function oneByOne(
  pool: NodePort,
  slices: TimeSlices,
  asked: readonly { readonly method: string; readonly params: JsonText }[],
): Promise<readonly unknown[] | undefined> {
  const answers: (TextAnswer | undefined)[] = [];
  for (const question of asked) {
    const reply = await pool.send({ ...question, repeatable: true, timeoutMs });
    if (!reply.ok) return undefined;
    if (reply.answer.kind === 'buffered') reply.answer.release();
    answers.push(reply.answer.kind === 'buffered' ? undefined : reply.answer);
  }
  return parsed(slices, answers);
}

/** Parses one answer per slice, because a receipt may contain a block full of events. */
function parsed(slices: TimeSlices, answers: ElementAnswers['answers']): Promise<readonly unknown[] | undefined> {
  function* steps(): Generator<undefined, readonly unknown[]> {
    const results: unknown[] = [];
    for (const answer of answers) {
      results.push(answer?.kind === 'result' ? parsedJson(answer.raw) : undefined);
      yield;
    }
    return results;
  }
  return runInSlices(slices, steps());
}

function parsedJson(text: JsonText): unknown {
  return JSON.parse(text.text());
}

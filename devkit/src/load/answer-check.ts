/** Compares answers with a job's expectation, so that a wrong answer fails a measurement and never looks fast. */
import { fixedResult } from './fixed-upstream.ts';
import type { HttpMessage } from './http-reader.ts';
import { statusOf } from './http-reader.ts';
import type { LoadExpectation } from './load-job.ts';
import type { RenderedRequest } from './render-requests.ts';

/** One of this many bodies is parsed and compared; each status is checked. */
const sampleEvery = 61;

export class AnswerCheck {
  #seen = 0;
  #tolerated = 0;

  constructor(readonly expectation: LoadExpectation) {}

  /** The problem of this answer to this request, or undefined. */
  problemWith(answer: HttpMessage, request: RenderedRequest): string | undefined {
    const status = statusOf(answer.head);
    this.#seen += 1;
    if (status !== this.expectation.status) {
      this.#tolerated += 1;
      return status === this.expectation.toleratedStatus
        ? undefined
        : `status ${status} instead of ${this.expectation.status}: ${answer.body.toString().slice(0, 300)}`;
    }
    return this.#seen % sampleEvery === 1 ? bodyProblem(answer.body.toString(), request, this.expectation) : undefined;
  }

  get tolerated(): number {
    return this.#tolerated;
  }

  /** The problem of the whole measurement, or undefined. */
  problemInAll(): string | undefined {
    const allowed = Math.max(this.#seen / 100, 2);
    return this.#tolerated > allowed
      ? `${this.#tolerated} of ${this.#seen} answers had the tolerated status`
      : undefined;
  }
}

/** The problem of this body, or undefined. */
export function bodyProblem(
  body: string,
  request: RenderedRequest,
  { body: kind, status }: LoadExpectation,
): string | undefined {
  if (kind === 'any') return undefined;
  const parsed = parse(body);
  const shown = `: ${body.slice(0, 300)}`;
  if (kind === 'standard-error')
    return member(parsed, 'status') === status ? undefined : `no StandardError ${status}${shown}`;
  const answers: readonly unknown[] = request.batchSize > 1 && Array.isArray(parsed) ? parsed : [parsed];
  if (answers.length !== request.batchSize) return `${answers.length} answers to ${request.batchSize} calls`;
  for (const [offset, answer] of answers.entries()) {
    if (member(answer, 'id') !== request.firstId + offset) return `id is not ${request.firstId + offset}${shown}`;
    if (kind === 'result' && member(answer, 'result') !== fixedResult) return `result is not the node's${shown}`;
    if (kind === 'rpc-error' && typeof member(member(answer, 'error'), 'code') !== 'number') return `no error${shown}`;
  }
  return undefined;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

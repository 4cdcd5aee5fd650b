/** Converts an error of a command into a message for the user and an exit code. */

import { messageOf } from '@flowgate/base/text';
import { FlowgateError } from '@flowgate/client/flowgate-error';
import { CliProblem, exitCodes, type ProblemKind } from './cli-problem.ts';
import type { Output } from './output/output.ts';

/** Also the form of `--json` on standard error. */
export type ReportedFailure = {
  readonly kind: ProblemKind;
  readonly message: string;
  /** What the user can do. */
  readonly advice?: string;
  readonly status?: number;
  readonly code?: number;
  readonly requestId?: string;
  /** Seconds. */
  readonly retryAfter?: number;
};

/** Returns the exit code. Writes the error to standard error: a sentence, or with `--json` one JSON object. */
export async function reportFailure(output: Output, thrown: unknown, signal: AbortSignal): Promise<number> {
  const failure = signal.aborted ? interrupted : failureOf(thrown);
  const { kind, message, advice, requestId, retryAfter, status } = failure;
  if (output.isJson()) {
    if (message !== '') await output.note(JSON.stringify({ error: failure }));
    return exitCodes[kind];
  }
  if (message !== '') await output.note(`flowgate: ${message}`, 'red');
  if (advice !== undefined) await output.note(advice);
  if (retryAfter !== undefined) await output.note(`Try again in ${retryAfter} s.`);
  if (requestId !== undefined) await output.note(`Request ${requestId}${status ? `, status ${status}` : ''}`, 'dim');
  return exitCodes[kind];
}

const interrupted: ReportedFailure = { kind: 'interrupted', message: '' };

function failureOf(thrown: unknown): ReportedFailure {
  if (thrown instanceof CliProblem) {
    const { kind, message, advice } = thrown;
    return { kind, message, ...(advice === undefined ? {} : { advice }) };
  }
  if (!(thrown instanceof FlowgateError)) return { kind: 'failed', message: messageOf(thrown) };
  const { status, code, requestId, retryAfter } = thrown;
  const isUnreached = thrown.kind === 'no-answer' || thrown.kind === 'unreadable';
  return {
    kind: isUnreached ? 'unreachable' : 'refused',
    message: thrown.message,
    ...(thrown.kind === 'no-answer' ? { advice: 'Is the address right, and is the gateway running?' } : {}),
    ...(status === 401 ? { advice: 'The credential is invalid or has expired: flowgate login' } : {}),
    ...(thrown.kind === 'unreadable' ? { advice: 'Another service answers at this address.' } : {}),
    ...(status === 0 ? {} : { status }),
    ...(code === undefined ? {} : { code }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}

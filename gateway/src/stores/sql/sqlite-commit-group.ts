/** Which of the writes that wait share the next commit, and so one sync to disk. */

import type { WorkerRequest } from './sqlite-messages.ts';

const mostRequests = 64;
/** Of their values together: a commit takes as long as its bytes, and everybody behind it waits. */
const mostBytes = 1_048_576;

/** Those that a request waits for go first; of each kind one is taken however large it is, so that none waits for ever. */
export function nextCommit(waiting: readonly WorkerRequest[]): {
  readonly group: WorkerRequest[];
  readonly left: WorkerRequest[];
} {
  const [urgent, patient] = [
    waiting.filter(({ isPatient }) => isPatient !== true),
    waiting.filter(({ isPatient }) => isPatient === true),
  ];
  const [group, left]: [WorkerRequest[], WorkerRequest[]] = [[], []];
  let bytes = 0;
  for (const kind of [urgent, patient])
    for (const [at, request] of kind.entries()) {
      const size = bytesOf(request);
      if (at > 0 && (group.length >= mostRequests || bytes + size > mostBytes)) left.push(request);
      else {
        group.push(request);
        bytes += size;
      }
    }
  return { group, left };
}

function bytesOf({ statements }: WorkerRequest): number {
  let bytes = 0;
  for (const { values } of statements) for (const value of values) if (typeof value === 'string') bytes += value.length;
  return bytes;
}

/** Selects the waiting writes that share the next commit, and so one sync to disk. */

import { requestLength } from './sqlite-codec.ts';
import type { WorkerRequest } from './sqlite-messages.ts';

const maxRequests = 64;
/**
 * The maximum number of bytes of the values in one group: a commit takes longer the more bytes it has, and all its
 * callers wait for it.
 */
const maxBytes = 1_048_576;

/**
 * Writes that a request waits for go first. Of each kind the oldest is taken, regardless of its size, so that none
 * starves; then the smallest, so that small writes do not wait for large ones.
 */
export function nextCommit(waiting: readonly WorkerRequest[]): {
  readonly group: readonly WorkerRequest[];
  readonly left: WorkerRequest[];
} {
  const group = new Set<WorkerRequest>();
  let bytes = 0;
  for (const hasLongDeadline of [false, true]) {
    const [oldest, ...others] = waiting
      .filter((request) => (request.hasLongDeadline ?? false) === hasLongDeadline)
      .map((request) => ({ request, size: requestLength(request) }));
    if (oldest === undefined) continue;
    for (const { request, size } of [oldest, ...others.sort((left, right) => left.size - right.size)]) {
      if (request !== oldest.request && (group.size >= maxRequests || bytes + size > maxBytes)) break;
      group.add(request);
      bytes += size;
    }
  }
  return { group: [...group], left: waiting.filter((request) => !group.has(request)) };
}

/** Reads several ranges at the same time, and hands them over in order. */

import type { Piece, PieceAnswer } from './range-reader.ts';

export type ReadAhead = {
  readonly from: number;
  readonly to: number;
  /** Blocks of one range. */
  readonly size: () => number;
  /** Ranges at the same time. */
  readonly max: number;
  readonly read: (from: number, to: number) => Promise<PieceAnswer>;
  /** Stores what comes next; false: nothing more is to be read. */
  readonly take: (piece: Piece) => Promise<boolean>;
};

type Task = { readonly from: number; readonly to: number; readonly answer: Promise<PieceAnswer> };

/** What ended it: all was read (`done`), `take`, or an answer without a piece. What was read beyond it is dropped. */
export async function readAhead(plan: ReadAhead): Promise<'done' | 'stopped' | Exclude<PieceAnswer, Piece>> {
  const { to, max, read, take } = plan;
  const tasks: Task[] = [];
  const begin = (from: number, end: number): Task => {
    const answer = read(from, end);
    // Nobody waits for it any more when an earlier one ends everything.
    answer.catch(() => {});
    return { from, to: end, answer };
  };
  let next = plan.from;
  for (;;) {
    while (tasks.length < max && next <= to) {
      const end = Math.min(to, next + plan.size() - 1);
      tasks.push(begin(next, end));
      next = end + 1;
    }
    const task = tasks.shift();
    if (task === undefined) return 'done';
    const answer = await task.answer;
    if (answer.kind !== 'piece') return answer;
    const last = answer.headers.at(-1)?.number ?? task.from - 1;
    // The rest of it comes next, at its place in the order, and is read while this is stored.
    if (last < task.to) tasks.unshift(begin(last + 1, task.to));
    if (!(await take(answer))) return 'stopped';
  }
}

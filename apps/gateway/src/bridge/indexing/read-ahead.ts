/** Reads several ranges concurrently, and delivers them in order. */

import type { Piece, PieceAnswer } from './range-reader.ts';

export type ReadAhead = {
  readonly from: number;
  readonly to: number;
  /** Blocks of one range. */
  readonly size: () => number;
  /** Ranges at the same time. */
  readonly max: number;
  readonly read: (from: number, to: number) => Promise<PieceAnswer>;
  /** Stores the next piece; false: stop reading. */
  readonly take: (piece: Piece) => Promise<boolean>;
};

type Task = { readonly from: number; readonly to: number; readonly answer: Promise<PieceAnswer> };

/** Why reading ended: all was read (`done`), `take` stopped it, or an answer without a piece. Later pieces are dropped. */
export async function readAhead(plan: ReadAhead): Promise<'done' | 'stopped' | Exclude<PieceAnswer, Piece>> {
  const { to, max, read, take } = plan;
  const tasks: Task[] = [];
  const begin = (from: number, end: number): Task => {
    const answer = read(from, end);
    // No caller awaits it when an earlier range ends the whole.
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
    // The rest of the range comes next in the order, and is read while this piece is stored.
    if (last < task.to) tasks.unshift(begin(last + 1, task.to));
    if (!(await take(answer))) return 'stopped';
  }
}

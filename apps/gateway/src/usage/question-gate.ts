/** Limits concurrent usage queries, and runs one for each user at a time, because they take the database longer than other reads. */

export type QuestionGate = {
  /** Undefined when the maximum of this user's queries is waiting. */
  readonly run: <T>(userId: string, answer: () => Promise<T>) => Promise<T> | undefined;
};

/** Of one user, including the running one: a page that shows several queries at once sends them together. */
const maxOfUser = 8;
const atOnce = 2;

export function createQuestionGate(): QuestionGate {
  const lines = new Map<string, { tail: Promise<unknown>; length: number }>();
  const waiting: (() => void)[] = [];
  let free = atOnce;

  async function inTurn<T>(answer: () => Promise<T>): Promise<T> {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await answer();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  }

  return {
    run(userId, answer) {
      const line = lines.get(userId) ?? { tail: Promise.resolve(), length: 0 };
      if (line.length >= maxOfUser) return undefined;
      lines.set(userId, line);
      line.length += 1;
      const answered = line.tail.then(() => inTurn(answer));
      line.tail = answered.then(
        () => {},
        () => {},
      );
      return answered.finally(() => {
        line.length -= 1;
        if (line.length === 0) lines.delete(userId);
      });
    },
  };
}

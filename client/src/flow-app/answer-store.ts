/** Where an app keeps its answers, so that a repeated delivery is answered alike and has no second effect (contract/flow-apps#downstream). */

/**
 * Implement it over the database that has the app's effects, so that both survive together. Sessions live for a day and no one repeats a submission after a week: older answers may
 * be deleted. A method that throws: `find`, and the request is 503, nothing was executed; `keep`, and the answer is sent and held in memory until a repetition has kept it.
 */
export type AnswerStore = {
  /** The answer kept under `key`. */
  readonly find: (key: string) => string | undefined | Promise<string | undefined>;
  /** Keeps the answer unless there is one under `key`, durably when it resolves, and returns the one that is there: another process may have been first. */
  readonly keep: (key: string, answer: string) => string | Promise<string>;
};

export type MemoryStoreOptions = {
  /** Default 10,000. */
  readonly maxAnswers?: number;
  /** Of all answers together. Default 64 Mi. */
  readonly maxCharacters?: number;
};

/** Is lost with the process: for apps without effects, and for trying out. Beyond its bounds the oldest answers are dropped. */
export function createMemoryStore({
  maxAnswers = 10_000,
  maxCharacters = 67_108_864,
}: MemoryStoreOptions = {}): AnswerStore {
  const answers = new Map<string, string>();
  let characters = 0;
  return {
    find: (key) => answers.get(key),
    keep: (key, answer) => {
      const there = answers.get(key);
      if (there !== undefined) return there;
      answers.set(key, answer);
      characters += answer.length;
      for (const [oldest, text] of answers) {
        if (answers.size <= maxAnswers && characters <= maxCharacters) break;
        answers.delete(oldest);
        characters -= text.length;
      }
      return answer;
    },
  };
}

/** The storage of an app's answers: a repeated delivery gets the same answer and has no second effect (contract/flow-apps#downstream). */

/**
 * Implement it in the same database as the app's effects, so that both survive together. Sessions last one day and no submission is retried after a week, so
 * older answers may be deleted. If `find` throws, the request gets 503 and nothing is executed. If `keep` throws, the answer is sent and buffered in memory
 * until a repetition has stored it.
 */
export type AnswerStore = {
  /** Returns the answer stored under `key`, or `undefined`. */
  readonly find: (key: string) => string | undefined | Promise<string | undefined>;
  /**
   * Stores the answer unless `key` already has one, and returns the stored answer, which may come from another process. The answer must be durable when this
   * resolves.
   */
  readonly keep: (key: string, answer: string) => string | Promise<string>;
};

export type MemoryStoreOptions = {
  /** Maximum number of answers. Default 10,000. */
  readonly maxAnswers?: number;
  /** Maximum size of all answers, in characters. Default 64 Mi. */
  readonly maxCharacters?: number;
};

/** A store in memory, lost with the process: for apps without effects and for trials. Above its bounds the oldest answers are dropped. */
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

/** Questions between a process and one that it began, over the runtime's IPC channel: each is answered once, or not in time. */

import { settledWithin } from '@flowgate/async/bounded-waits';

export type Question<What extends string> = { readonly kind: 'ask'; readonly id: number; readonly what: What };
export type Answer = { readonly kind: 'answer'; readonly id: number; readonly value: unknown };

export class Asking<What extends string> {
  readonly #waiting = new Map<number, (value: unknown) => void>();
  #lastId = 0;

  constructor(
    private readonly report: (question: Question<What>) => void,
    private readonly timeoutMs: number,
  ) {}

  /** Undefined when there was no answer in time. */
  async ask(what: What): Promise<unknown> {
    const id = ++this.#lastId;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, resolve);
    try {
      this.report({ kind: 'ask', id, what });
      return await settledWithin(this.timeoutMs, promise);
    } finally {
      this.#waiting.delete(id);
    }
  }

  answered({ id, value }: Answer): void {
    this.#waiting.get(id)?.(value);
  }

  /** No one answers any more. */
  end(): void {
    for (const resolve of this.#waiting.values()) resolve(undefined);
  }
}

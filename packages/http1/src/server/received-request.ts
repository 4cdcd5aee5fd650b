/** The request that a connection is answering, as handlers see it. */

import { IncomingBody } from './incoming-body.ts';
import type { IncomingRequest } from './incoming-request.ts';
import type { RequestHead } from './request-head.ts';

/** After `letGo` the caller has this many milliseconds to fetch the rest of the answer. */
const fetchingTheRestMs = 4_000;

/** Reused for each request of its connection. */
export class ReceivedRequest implements IncomingRequest {
  body: IncomingBody = noBody;
  #isOpen = false;
  /** Created when a handler first reads `signal`, which most do not. */
  #abort: AbortController | undefined;
  /** Why the connection ended before the answer was sent. A handler may read `signal` only afterwards. */
  #brokenBy: Error | undefined;
  /** After `letGo`, the monotonic time by which the caller must have fetched the answer. */
  #fetchedByMs: number | undefined;

  constructor(
    private readonly head: RequestHead,
    readonly peer: string,
    private readonly nowMs: () => number,
  ) {}

  get method(): string {
    return this.head.line.method;
  }

  get target(): string {
    return this.head.line.target;
  }

  readonly header = (name: string): string | null => this.head.fields.get(name);

  readonly eachHeader = (listen: (name: string, value: string) => void): void => {
    const { fields } = this.head;
    for (let index = 0; index < fields.count; index++) listen(fields.name(index), fields.value(index));
  };

  get upgrade(): string | undefined {
    return this.head.mayUpgrade ? (this.head.fields.get('upgrade') ?? undefined) : undefined;
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      if (this.#brokenBy !== undefined) this.#abort.abort(this.#brokenBy);
    }
    return this.#abort.signal;
  }

  readonly letGo = (): void => {
    if (this.#isOpen) this.#fetchedByMs = this.nowMs() + fetchingTheRestMs;
  };

  open(body: IncomingBody): void {
    this.body = body;
    this.#isOpen = true;
  }

  /** The answer has been sent; content of the request may still arrive. */
  answered(): void {
    this.#isOpen = false;
  }

  /** The request is over: its answer has been sent and all of its content has arrived. */
  close(): void {
    this.body = noBody;
    this.#isOpen = false;
    this.#abort = undefined;
    this.#fetchedByMs = undefined;
  }

  /** The connection is gone. */
  break(reason: Error): void {
    this.body.fail(reason);
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#brokenBy = reason;
    this.#abort?.abort(reason);
  }

  /** Whether the caller has not fetched the answer in time after `letGo`. */
  isOverdue(nowMs: number): boolean {
    return this.#fetchedByMs !== undefined && nowMs > this.#fetchedByMs;
  }
}

const noBody = new IncomingBody(0, { wanted: ignore, hasRoom: ignore });

function ignore(): void {}

/** The request of one connection that is being answered, as its handler sees it. */

import type { IncomingRequest } from '../incoming-request.ts';
import { IncomingBody } from './incoming-body.ts';
import type { RequestHead } from './request-head.ts';

/** What is left of an answer that is over has this long to be fetched. */
const fetchingTheRestMs = 4_000;

/** Used again for each request of its connection. */
export class ReceivedRequest implements IncomingRequest {
  body: IncomingBody = noBody;
  #isOpen = false;
  #abort: AbortController | undefined;
  /** When an answer that is over has been fetched. */
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

  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    return this.#abort.signal;
  }

  readonly letGo = (): void => {
    if (this.#isOpen) this.#fetchedByMs = this.nowMs() + fetchingTheRestMs;
  };

  open(body: IncomingBody): void {
    this.body = body;
    this.#isOpen = true;
  }

  /** Its answer has left; its content may still be coming. */
  answered(): void {
    this.#isOpen = false;
  }

  /** Nothing of it is to come. */
  close(): void {
    this.body = noBody;
    this.#isOpen = false;
    this.#abort = undefined;
    this.#fetchedByMs = undefined;
  }

  /** Its connection is gone. */
  break(reason: Error): void {
    this.body.fail(reason);
    const abort = this.#isOpen ? this.#abort : undefined;
    this.#isOpen = false;
    abort?.abort(reason);
  }

  /** Its answer is over, and was not fetched in time. */
  isOverdue(nowMs: number): boolean {
    return this.#fetchedByMs !== undefined && nowMs > this.#fetchedByMs;
  }
}

const noBody = new IncomingBody(0, { wanted: ignore, hasRoom: ignore });

function ignore(): void {}

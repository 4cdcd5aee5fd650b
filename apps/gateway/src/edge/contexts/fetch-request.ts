/** The request of an agent's tool, as an incoming request. */

import type { IncomingRequest, RequestBody } from '@flowgate/http1/server/incoming-request';

export class FetchRequest implements IncomingRequest {
  readonly method: string;
  readonly body: FetchBody;

  constructor(
    readonly request: Request,
    /** Empty: the peer of the outer request is used. */
    readonly peer = '',
    readonly letGo = () => {},
  ) {
    this.method = request.method;
    this.body = new FetchBody(request);
  }

  get target(): string {
    return targetOf(this.request.url);
  }

  get signal(): AbortSignal {
    return this.request.signal;
  }

  readonly header = (name: string): string | null => this.request.headers.get(name);

  readonly eachHeader = (listen: (name: string, value: string) => void): void => {
    for (const [name, value] of this.request.headers) listen(name, value);
  };
}

class FetchBody implements RequestBody {
  #reader: Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'> | undefined;
  #isOver = false;

  constructor(private readonly request: Request) {}

  get announced(): number {
    const { headers } = this.request;
    const length = headers.get('content-length');
    if (length !== null) return Number(length);
    return headers.has('transfer-encoding') ? Number.POSITIVE_INFINITY : 0;
  }

  /** A body that a tool made from a text has no announced length. */
  takeWhole(): Uint8Array | undefined {
    return this.request.body === null ? new Uint8Array() : undefined;
  }

  async next(): Promise<Uint8Array | undefined> {
    if (this.#isOver || this.request.body === null) return undefined;
    this.#reader ??= this.request.body.getReader();
    const { done, value } = await this.#reader.read();
    if (done) this.#isOver = true;
    return done ? undefined : value;
  }

  discard(): void {
    this.#isOver = true;
    this.#reader?.cancel().catch(() => {});
  }
}

/** The path and query of an absolute URL. */
function targetOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const fragment = url.indexOf('#', start);
  return url.slice(start, fragment < 0 ? undefined : fragment);
}

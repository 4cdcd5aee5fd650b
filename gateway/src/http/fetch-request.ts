/** A request that the runtime made, or that a tool of ours makes of its own, as any other. */

import type { AnswerConnection, IncomingRequest, RequestBody } from './incoming-request.ts';

export class FetchRequest implements IncomingRequest {
  readonly method: string;
  readonly body: FetchBody;

  constructor(
    readonly request: Request,
    private readonly address: () => string,
    readonly connection: AnswerConnection,
  ) {
    this.method = request.method;
    this.body = new FetchBody(request);
  }

  get target(): string {
    return targetOf(this.request.url);
  }

  get peer(): string {
    return this.address();
  }

  get signal(): AbortSignal {
    return this.request.signal;
  }

  readonly header = (name: string): string | null => this.request.headers.get(name);

  readonly eachHeader = (listen: (name: string, value: string) => void): void => {
    for (const [name, value] of this.request.headers) listen(name, value);
  };
}

/** Of a request that comes over no connection. */
export const noConnection: AnswerConnection = { keepOpen: () => {}, letGo: () => {}, rest: () => {} };

/** So much is read in one piece. */
const smallBytes = 16_384;

export class FetchBody implements RequestBody {
  #reader: Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'> | undefined;
  #isDiscarded = false;
  /** Its end was reached. */
  isRead = false;

  constructor(private readonly request: Request) {}

  get announced(): number {
    const { headers } = this.request;
    const length = headers.get('content-length');
    if (length !== null) return Number(length);
    return headers.has('transfer-encoding') ? Number.POSITIVE_INFINITY : 0;
  }

  /** What a tool made of a text comes without a length. */
  takeWhole(): Uint8Array | undefined {
    return this.request.body === null ? new Uint8Array() : undefined;
  }

  async next(): Promise<Uint8Array | undefined> {
    if (this.#isDiscarded || this.isRead || this.request.body === null) return undefined;
    if (this.#reader === undefined && this.announced <= smallBytes) {
      this.isRead = true;
      return this.request.bytes();
    }
    const reader = this.#reader ?? this.request.body.getReader();
    this.#reader = reader;
    const { done, value } = await reader.read();
    if (done) this.isRead = true;
    return done ? undefined : value;
  }

  discard(): void {
    this.#isDiscarded = true;
    this.#reader?.cancel().catch(() => {});
  }
}

/** The runtime hands over an absolute URL, or for HTTP/1.0 without Host only the path; CONNECT names no path at all. */
export function targetOf(url: string): string {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3);
  if (start < 0 || url === '') return '';
  const fragment = url.indexOf('#', start);
  return url.slice(start, fragment < 0 ? undefined : fragment);
}

/** The handler as a listener of Node.js' own server, without an import of it: the entry also serves runtimes that have none. */

import { answerHeaders, type FlowAppHandler } from './handler.ts';

/** What is used of `http.IncomingMessage`. */
export type NodeRequest = AsyncIterable<Uint8Array> & {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};

/** What is used of `http.ServerResponse`. */
export type NodeResponse = {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(text: string): unknown;
};

/** `createServer(toNodeListener(handler)).listen(3000)`. */
export function toNodeListener(handler: FlowAppHandler): (request: NodeRequest, response: NodeResponse) => void {
  return (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const path = url.split('?', 1)[0] ?? '/';
    const body = () => request[Symbol.asyncIterator]();
    void handler.answering({ method, path, headers, body }).then(({ status, text, isUnread }) => {
      // What was not read must not be taken for the next request.
      response.writeHead(status, isUnread === true ? { ...answerHeaders, Connection: 'close' } : { ...answerHeaders });
      response.end(text);
    });
  };
}

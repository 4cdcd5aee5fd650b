/** Adapts the handler to a listener of Node.js' server. It imports nothing of Node.js, because the entry also runs elsewhere. */

import { answerHeaders, type FlowAppHandler } from './handler.ts';

/** The used part of `http.IncomingMessage`. */
export type NodeRequest = AsyncIterable<Uint8Array> & {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};

/** The used part of `http.ServerResponse`. */
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
      // Unread bytes must not be parsed as the next request.
      response.writeHead(status, isUnread === true ? { ...answerHeaders, Connection: 'close' } : { ...answerHeaders });
      response.end(text);
    });
  };
}

/** Listens on a loopback port for the browser's redirect from the issuer (RFC 8252, 7.3). Accepts only the answer to this sign-in, and only once. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { CliProblem } from '../cli-problem.ts';

export const callbackPath = '/callback';
const maxHeaderBytes = 16_384;

export type LoopbackAnswer = {
  /** The requested URL, with the issuer's parameters. */
  readonly url: URL;
  /** Shows the result of the sign-in in the browser. */
  readonly reply: (isSignedIn: boolean, text: string) => Promise<void>;
};

export type LoopbackAnswers = {
  readonly redirectUri: string;
  /** The first answer with `state`. Rejects with the signal's reason. */
  readonly first: (state: string, signal: AbortSignal) => Promise<LoopbackAnswer>;
  readonly close: () => void;
};

/** `port` 0: any free port. `onStranger` is called once, when an unexpected request arrives. Throws `CliProblem` when the port is in use. */
export async function openLoopback(port: number, onStranger: () => void): Promise<LoopbackAnswers> {
  let answer: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) =>
    void send(response, 404, 'No one waits here.');
  const server = createServer({ maxHeaderSize: maxHeaderBytes, requestTimeout: 10_000 }, (request, response) =>
    answer(request, response),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', () =>
      reject(
        new CliProblem('failed', `port ${port} of this machine cannot be used`, 'Choose another one with --port.'),
      ),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the loopback server has no port');
  const origin = `http://127.0.0.1:${address.port}`;

  function first(state: string, signal: AbortSignal): Promise<LoopbackAnswer> {
    return new Promise((resolve, reject) => {
      let isAnswered = false;
      let isReported = false;
      const end = () => reject(signal.reason);
      if (signal.aborted) return end();
      signal.addEventListener('abort', end, { once: true });
      answer = (request, response) => {
        const url = URL.parse(request.url ?? '', origin);
        // Another host name means that a page's name points to this address (DNS rebinding).
        const isOurs = request.headers.host === new URL(origin).host && url?.origin === origin;
        if (request.method !== 'GET' || !isOurs || url.pathname !== callbackPath)
          return void send(response, 404, 'No one waits here.');
        if (url.searchParams.getAll('state').join() !== state) {
          if (!isReported) onStranger();
          isReported = true;
          return void send(response, 400, 'This does not belong to the sign-in that the terminal waits for.');
        }
        if (isAnswered) return void send(response, 409, 'This sign-in has been answered already.');
        isAnswered = true;
        signal.removeEventListener('abort', end);
        resolve({ url, reply: (isSignedIn, text) => send(response, isSignedIn ? 200 : 400, text) });
      };
    });
  }

  return {
    redirectUri: origin + callbackPath,
    first,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Resolves when the page is sent or the browser is gone. `text` is trusted or escaped here. */
function send(response: ServerResponse, status: number, text: string): Promise<void> {
  const shown = text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
  });
  const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Flowgate</title></head>
<body><main><h1>${status === 200 ? 'Signed in' : 'Not signed in'}</h1><p>${shown}</p></main></body></html>
`;
  return new Promise((resolve) => {
    response.once('close', () => resolve());
    response.end(page, () => resolve());
  });
}

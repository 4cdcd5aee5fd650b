/**
 * Ways to call a gateway, from ordinary to malicious, each for one connection. A request that must be answered must get
 * the right answer.
 */

import { mutatedRequests } from '@flowgate/testing/mutated-requests';
import { VisitorSocket } from './visitor-socket.ts';

export type Visited = {
  readonly port: number;
  readonly apiKey: string;
  /** A random integer below `below`. */
  readonly choose: (below: number) => number;
  /** Many callers arrive at the same time, so a 503 is correct as well: a node accepts a limited number of calls. */
  readonly isCrowded?: boolean;
  /** Counts a correct answer. */
  readonly answered: () => void;
};

/** Rejects when the gateway misbehaves. */
export type Visit = (visited: Visited) => Promise<void>;

/** The method that the soak's node answers late and with a large result. */
export const largeMethod = 'eth_getLogs';
export const slowMethod = 'eth_call';

let lastId = 0;

function call({ apiKey }: Visited, method = 'eth_blockNumber', headers: readonly string[] = []) {
  lastId += 1;
  const id = lastId;
  const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: [] });
  const lines = [
    'POST /rpc HTTP/1.1',
    'Host: soak',
    `X-API-Key: ${apiKey}`,
    'Content-Type: application/json',
    ...headers,
  ];
  const head = (framing: string) => [...lines, framing, '', ''].join('\r\n');
  return { id, body, head, text: `${head(`Content-Length: ${body.length}`)}${body}` };
}

async function expectResult(socket: VisitorSocket, { id }: { readonly id: number }, visited: Visited): Promise<void> {
  const answer = await socket.next();
  if (answer === undefined) throw new Error('the connection ended without an answer');
  if (answer.status === 503 && visited.isCrowded === true) return;
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${answer.body.slice(0, 200)}`);
  const start = answer.body.slice(0, 200);
  if (!start.includes(`"id":${id},`) || !start.includes('"result"')) throw new Error(`a wrong answer: ${start}`);
  visited.answered();
}

/** Opens a connection, makes the visit, and always closes it. */
function visit(body: (socket: VisitorSocket, visited: Visited) => Promise<void>): Visit {
  return async (visited) => {
    const socket = await VisitorSocket.open(visited.port);
    try {
      await body(socket, visited);
    } finally {
      socket.close();
    }
  };
}

const aMoment = (visited: Visited, atMostMs = 20) => Bun.sleep(visited.choose(atMostMs));

/** Sends the text in pieces of a few bytes, with pauses between some of them. */
async function trickle(socket: VisitorSocket, text: string, visited: Visited): Promise<void> {
  for (let at = 0; at < text.length; ) {
    const length = 1 + visited.choose(24);
    socket.send(text.slice(at, at + length));
    at += length;
    if (visited.choose(4) === 0) await aMoment(visited, 5);
  }
}

export const oneCallAfterAnother = visit(async (socket, visited) => {
  for (let left = 50; left > 0; left--) {
    const asked = call(visited);
    socket.send(asked.text);
    await expectResult(socket, asked, visited);
  }
});

const others: Readonly<Record<string, Visit>> = {
  pipelining: visit(async (socket, visited) => {
    const asked = Array.from({ length: 40 }, () => call(visited));
    socket.send(asked.map(({ text }) => text).join(''));
    for (const each of asked) await expectResult(socket, each, visited);
  }),
  'pipelining beyond the buffer': visit(async (socket, visited) => {
    const filler = [`X-Filler: ${'f'.repeat(4_000)}`];
    const asked = Array.from({ length: 60 }, () => call(visited, 'eth_blockNumber', filler));
    socket.send(asked.map(({ text }) => text).join(''));
    for (const each of asked) await expectResult(socket, each, visited);
  }),
  'pipelining after a last request': visit(async (socket, visited) => {
    const last = call(visited, slowMethod, ['Connection: close']);
    const more = Array.from({ length: 100 }, () =>
      call(visited, 'eth_blockNumber', [`X-Filler: ${'f'.repeat(2_000)}`]),
    );
    socket.send(last.text + more.map(({ text }) => text).join(''));
    await expectResult(socket, last, visited);
    if ((await socket.next()) !== undefined) throw new Error('answered a request after a last request');
  }),
  'a trickle of bytes': visit(async (socket, visited) => {
    const asked = call(visited);
    await trickle(socket, asked.text, visited);
    await expectResult(socket, asked, visited);
  }),
  'a trickle of chunks': visit(async (socket, visited) => {
    const asked = call(visited);
    socket.send(asked.head('Transfer-Encoding: chunked'));
    for (const character of asked.body) {
      socket.send(`1;a=b\r\n${character}\r\n`);
      if (visited.choose(10) === 0) await aMoment(visited, 5);
    }
    socket.send('0\r\nTrailer: t\r\n\r\n');
    await expectResult(socket, asked, visited);
  }),
  'a half-close after the call': visit(async (socket, visited) => {
    const asked = call(visited, visited.choose(2) === 0 ? slowMethod : undefined);
    socket.send(asked.text);
    socket.finish();
    await expectResult(socket, asked, visited);
    await socket.ended();
  }),
  'a half-close in the middle': visit(async (socket, visited) => {
    const { text } = call(visited);
    socket.send(text.slice(0, 1 + visited.choose(text.length - 1)));
    socket.finish();
    await socket.ended();
  }),
  'waiting for 100 Continue': visit(async (socket, visited) => {
    const asked = call(visited, 'eth_blockNumber', ['Expect: 100-continue']);
    socket.send(asked.head(`Content-Length: ${asked.body.length}`));
    await aMoment(visited);
    socket.send(asked.body);
    await expectResult(socket, asked, visited);
  }),
  'a slow reader of a large answer': visit(async (socket, visited) => {
    const asked = call(visited, largeMethod);
    socket.pause();
    socket.send(asked.text);
    await Bun.sleep(50 + visited.choose(400));
    socket.resume();
    await expectResult(socket, asked, visited);
  }),
  'no reader of a large answer': visit(async (socket, visited) => {
    socket.pause();
    for (let left = 4; left > 0; left--) socket.send(call(visited, largeMethod).text);
    await Bun.sleep(50 + visited.choose(visited.choose(10) === 0 ? 4_000 : 300));
    socket.reset();
  }),
  'a reset in the middle of a request': visit(async (socket, visited) => {
    const { text } = call(visited);
    socket.send(text.slice(0, 1 + visited.choose(text.length - 1)));
    await aMoment(visited);
    socket.reset();
  }),
  'a reset while it waits': visit(async (socket, visited) => {
    socket.send(call(visited, slowMethod).text);
    await aMoment(visited);
    socket.reset();
  }),
  'closing during the answer': visit(async (socket, visited) => {
    socket.send(call(visited, visited.choose(2) === 0 ? largeMethod : undefined).text);
    await aMoment(visited, 5);
  }),
  'a body that the gateway does not read': visit(async (socket, visited) => {
    socket.send(`POST /nowhere HTTP/1.1\r\nHost: soak\r\nContent-Length: 3000000\r\n\r\n${'b'.repeat(100_000)}`);
    const answer = await socket.next();
    if (answer?.status !== 404 && answer?.status !== 401)
      throw new Error(`a body to nowhere was answered ${answer?.status}`);
    if (visited.choose(2) === 0) socket.send('b'.repeat(1_000_000));
    await aMoment(visited);
  }),
  'nothing at all': visit(async (socket, visited) => {
    if (visited.choose(3) === 0) return socket.ended();
    await aMoment(visited, 500);
  }),
  'an incomplete request': visit(async (socket, visited) => {
    const [text = ''] = mutatedRequests(1, 1 + visited.choose(1_000_000_000));
    await trickle(socket, text, visited);
    socket.finish();
    await socket.ended();
  }),
  'a large document in pieces': visit(async (socket, visited) => {
    socket.send('GET /openapi.json HTTP/1.1\r\nHost: soak\r\n\r\n');
    socket.pause();
    await aMoment(visited, 100);
    socket.resume();
    const answer = await socket.next();
    if (answer?.status !== 200) throw new Error(`the document was answered ${answer?.status}`);
    JSON.parse(answer.body);
    visited.answered();
  }),
};

/** All visits, with their names. */
export const visits: readonly (readonly [name: string, visit: Visit])[] = [
  ['one call after another', oneCallAfterAnother],
  ...Object.entries(others),
];

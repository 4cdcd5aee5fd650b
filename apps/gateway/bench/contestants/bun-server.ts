/**
 * A Bun process that answers without the work of a gateway, as a lower bound of the cost: `fixed` from memory, `fetch`
 * from the node.
 */

const [kind, upstreamPort] = process.argv.slice(2);
const node = `http://127.0.0.1:${upstreamPort}/`;
const json = { headers: { 'Content-Type': 'application/json' } };

/** Passes the bytes through unread. */
async function forward(request: Request): Promise<Response> {
  const answer = await fetch(node, { method: 'POST', body: await request.text(), ...json });
  return new Response(await answer.text(), json);
}

/** Reads the body and sends an answer of the default size for every request. */
async function answerFixed(request: Request): Promise<Response> {
  await request.text();
  return new Response('{"jsonrpc":"2.0","id":1,"result":"0x10d4f1e"}', json);
}

const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: kind === 'fetch' ? forward : answerFixed });
process.on('disconnect', () => process.exit(0));
process.send?.({ port: server.port });

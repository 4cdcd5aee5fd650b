/** A Flow App that does nothing, in its own process; prints its port. For `flow.ts`. */

/** The step that both apps of the bench show. */
export const idleStep = { stepId: 'count', title: 'Count', fields: [], actions: [{ actionId: 'go', label: 'Go' }] };

const answer = JSON.stringify({ step: idleStep });

if (import.meta.main) {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      await request.arrayBuffer();
      return new Response(answer, { headers: { 'Content-Type': 'application/json' } });
    },
  });
  console.log(server.port);
}

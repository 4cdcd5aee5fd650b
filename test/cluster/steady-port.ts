/**
 * Finds a port that stays free while its server is down: below the range of ports for outgoing connections, of which a
 * load opens many.
 */

const taken = new Set<number>();

export function steadyPort(): number {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    if (taken.has(port)) continue;
    try {
      Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } }).stop(true);
      taken.add(port);
      return port;
    } catch {
      // The port is in use, so another one is tried.
    }
  }
}

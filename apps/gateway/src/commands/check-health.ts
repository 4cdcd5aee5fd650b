/** Checks whether the gateway on this machine runs, at the address of its configuration (contract/running#readiness). */

import { messageOf } from '@flowgate/base/text';
import type { Config } from '../config/config.ts';

const timeoutMs = 3_000;

/** Undefined when it answers; otherwise what is wrong, in a sentence for the operator. */
export async function healthProblem({ host, port, tls }: Config['server']): Promise<string | undefined> {
  if (port === 0) return 'server.port is 0: only the gateway knows its port';
  const url = `${tls === undefined ? 'http' : 'https'}://${reachable(host)}:${port}/healthz`;
  try {
    // The certificate is for the public name, and this request goes to the local machine.
    const { ok, status, body } = await fetch(url, {
      signal: AbortSignal.timeout(timeoutMs),
      tls: { rejectUnauthorized: false },
    });
    await body?.cancel();
    return ok ? undefined : `${url} answers ${status}`;
  } catch (error) {
    return `${url} does not answer: ${messageOf(error)}`;
  }
}

/** An address at which a socket bound to `host` accepts connections. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * The shipped load balancer for a cluster's gateways: deploy/compose/haproxy.cfg with other addresses, shorter probe
 * intervals, and a header that names the gateway that answered.
 */

import { prepareHaproxy } from '../deploy/running-haproxy.ts';
import { type ProcessService, processService } from './service.ts';
import { steadyPort } from './steady-port.ts';

/** Contains the name of the gateway that answered, from the shipped file. Absent when the balancer answered. */
export const servedByHeader = 'x-served-by';

/** Starts the balancer with the gateways' names in haproxy.cfg, in its order. */
export const balancedNames = ['gateway-1', 'gateway-2', 'gateway-3'] as const;

export async function balancerService(
  gatewayPorts: readonly number[],
): Promise<ProcessService & { readonly directory: string }> {
  const shipped = await prepareHaproxy(gatewayPorts);
  // A port that stays free during a restart.
  const port = steadyPort();
  const text = await Bun.file(shipped.file).text();
  await Bun.write(
    shipped.file,
    text
      .replace(`bind 127.0.0.1:${shipped.port}`, `bind 127.0.0.1:${port}`)
      .replaceAll('check inter 1s', 'check inter 200ms')
      .replaceAll(/^backend .*$/gm, '$&\n    http-response set-header X-Served-By %s'),
  );
  const service = processService({
    name: 'balancer',
    command: ['haproxy', '-db', '-f', shipped.file],
    port,
    directory: shipped.directory,
    env: { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin` },
    async ready() {
      const tls = { rejectUnauthorized: false };
      const answer = await fetch(`https://127.0.0.1:${port}/healthz`, { keepalive: false, tls });
      return answer.headers.has(servedByHeader);
    },
  });
  return { ...service, directory: shipped.directory };
}

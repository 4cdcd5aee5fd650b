/** HAProxy before the gateways, as an installation would have it: readiness checks, connections tried elsewhere, answers never asked for twice. */

import { which } from 'bun';
import { type ProcessPart, processPart } from './part.ts';
import { steadyPort } from './steady-port.ts';

export type Backend = { readonly name: string; readonly port: number };

/** Undefined when HAProxy is here; otherwise why tests that need it are skipped (never with CI=true, where they fail instead). */
export const balancerMissing: string | undefined = findOrInstall();

function findOrInstall(): string | undefined {
  if (which('haproxy') !== null) return undefined;
  if (process.getuid?.() === 0 && which('apt-get') !== null) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const run = (...command: string[]) => Bun.spawnSync(command, { stdout: 'ignore', stderr: 'ignore', env }).exitCode;
    const install = () => run('apt-get', 'install', '-y', '--no-install-recommends', 'haproxy');
    if (install() !== 0 && run('apt-get', 'update') === 0) install();
    if (which('haproxy') !== null) return undefined;
  }
  const reason = 'haproxy is not on this machine and could not be installed';
  if (process.env['CI'] === 'true') throw new Error(reason);
  return reason;
}

/** Names the gateway that answered; absent from what the balancer says by itself. */
export const servedByHeader = 'x-served-by';

export async function balancerPart(directory: string, backends: readonly Backend[]): Promise<ProcessPart> {
  const port = steadyPort();
  const file = `${directory}/haproxy.cfg`;
  await Bun.write(file, configuration(port, backends));
  return processPart({
    name: 'balancer',
    command: ['haproxy', '-db', '-f', file],
    port,
    directory,
    env: { PATH: process.env['PATH'] },
    ready: async () =>
      (await fetch(`http://127.0.0.1:${port}/healthz`, { keepalive: false })).headers.has(servedByHeader),
  });
}

function configuration(port: number, backends: readonly Backend[]): string {
  const servers = (options: string) =>
    backends.map((each) => `  server ${each.name} 127.0.0.1:${each.port} ${options}`).join('\n');
  const own = (status: number, label: string, more = '') =>
    `  http-error status ${status} content-type application/json lf-string '{"timestamp":%[date(0,ms)],"status":${status},"error":"${label}","message":"No gateway could answer.","path":""}'${more}`;
  return `global
  nbthread 1
  maxconn 4000
defaults
  mode http
  timeout connect 1s
  timeout client 30s
  timeout server 30s
  timeout queue 2s
  retries 2
  option redispatch 1
${own(502, 'Bad gateway')}
${own(503, 'Service unavailable', ' hdr Retry-After 1')}
${own(504, 'Gateway timeout')}
frontend public
  bind 127.0.0.1:${port}
  # When no gateway is ready, the database being away, all of them still serve what they hold in memory.
  use_backend alive if { nbsrv(ready) eq 0 }
  default_backend ready
backend ready
  balance roundrobin
  option httpchk GET /readyz
  http-check expect status 200
  http-response set-header X-Served-By %s
  default-server inter 200ms fastinter 100ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers('check')}
backend alive
  balance roundrobin
  option httpchk GET /healthz
  http-check expect status 200
  http-response set-header X-Served-By %s
  default-server inter 200ms fastinter 100ms fall 2 rise 1
${servers('check')}
`;
}

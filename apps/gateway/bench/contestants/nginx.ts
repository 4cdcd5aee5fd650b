/** nginx with its built-in features: maps, limit_req, proxy_pass. It cannot read a body, so it checks no method. */
import { type Contestant, type Entry, generousPerMinute, type Runtime } from '../contestant.ts';
import { keyMapOf } from '../population.ts';
import { accepts, freePort } from '../workshop.ts';

type Ports = { readonly main: number; readonly limited: number; readonly upstream: number };

export async function startNginx({ workshop, population, upstreamPort }: Runtime): Promise<Entry> {
  const program = Bun.which('nginx');
  if (program === null) return { name: 'nginx', absent: 'not installed' };
  const keys = workshop.write('nginx.map', keyMapOf(population, ';'));
  const ports: Ports = { main: await freePort(), limited: await freePort(), upstream: upstreamPort };
  const config = workshop.write('nginx.conf', nginxConfig(ports, keys, workshop.directory));
  const { pid } = await workshop.start('nginx', [program, '-c', config, '-p', workshop.directory], () =>
    accepts(ports.main),
  );
  const contestant: Contestant = {
    name: 'nginx',
    main: { port: ports.main, pid },
    limited: { port: ports.limited, pid },
    does: ({ name }) => name !== 'blocked',
    // Without Lua, nginx cannot put the call's id into a refusal.
    expects: ({ expectation }) => (expectation.body === 'rpc-error' ? { ...expectation, body: 'any' } : expectation),
  };
  return contestant;
}

export type NginxOptions = {
  /** The directory for its files, whose names begin with `name`. */
  readonly directory: string;
  readonly name: string;
  readonly upstreamPort: number;
  readonly http: string;
  readonly modules?: string;
};

/** The configuration that the Lua variant shares: one process, no logs, temporary files in the directory. */
export function nginxFrame({ directory, name, upstreamPort, http, modules }: NginxOptions): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `  ${kind}_temp_path ${directory}/${name}-${kind};\n`)
    .join('');
  return `${modules ?? ''}daemon off;
master_process off;
pid ${directory}/${name}.pid;
error_log stderr warn;
events { worker_connections 4096; }
http {
  access_log off;
  default_type application/json;
${temporary}  client_body_buffer_size 64k;
  client_max_body_size 5m;
  proxy_buffer_size 64k;
  proxy_buffers 8 64k;
  proxy_http_version 1.1;
  proxy_set_header Connection "";
  proxy_set_header X-API-Key "";
  keepalive_requests 1000000000;
  upstream node { server 127.0.0.1:${upstreamPort}; keepalive 64; keepalive_requests 1000000000; }
${http}}
`;
}

function nginxConfig(ports: Ports, keyMap: string, directory: string): string {
  return nginxFrame({
    directory,
    name: 'nginx',
    upstreamPort: ports.upstream,
    http: `  map_hash_max_size 262144;
  map_hash_bucket_size 256;
  map $uri $key { default $http_x_api_key; "~^/rpc/(?<inpath>fk_.+)$" $inpath; }
  map $key $user { default ""; include ${keyMap}; }
  limit_req_zone $user zone=main:16m rate=${generousPerMinute}r/m;
  limit_req_zone $user zone=limited:16m rate=1r/m;
  limit_req_status 429;
${server(ports.main, 'zone=main burst=100000 nodelay', generousPerMinute)}${server(ports.limited, 'zone=limited nodelay', 1)}`,
  });
}

function server(port: number, limit: string, perMinute: number): string {
  return `  server {
    listen 127.0.0.1:${port};
    error_page 429 @limited;
    location @limited { internal; add_header Retry-After 60 always; add_header X-RateLimit-Limit ${perMinute} always; return 429 '{"timestamp":0,"status":429,"error":"Too many requests","message":"Rate limit exceeded.","path":"/rpc"}'; }
    location /rpc {
      if ($user = "") { return 403 '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Invalid credentials."}}'; }
      limit_req ${limit};
      limit_req_log_level info;
      add_header X-RateLimit-Limit ${perMinute} always;
      proxy_pass http://node/;
    }
  }
`;
}

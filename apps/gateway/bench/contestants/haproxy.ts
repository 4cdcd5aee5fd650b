/** HAProxy doing Flowgate's job with its built-in features: map, stick table, json_query. */
import { type Contestant, type Entry, generousPerMinute, type Runtime } from '../contestant.ts';
import { keyMapOf } from '../population.ts';
import { accepts, freePort } from '../workshop.ts';

type Ports = { readonly main: number; readonly limited: number; readonly upstream: number };

export async function startHaproxy({ workshop, population, upstreamPort }: Runtime): Promise<Entry> {
  const program = Bun.which('haproxy');
  if (program === null) return { name: 'haproxy', absent: 'not installed' };
  const keys = workshop.write('haproxy.map', keyMapOf(population));
  const ports: Ports = { main: await freePort(), limited: await freePort(), upstream: upstreamPort };
  const config = workshop.write('haproxy.cfg', haproxyConfig(ports, keys));
  const { pid } = await workshop.start('haproxy', [program, '-db', '-f', config], () => accepts(ports.main));
  const contestant: Contestant = {
    name: 'haproxy',
    main: { port: ports.main, pid },
    limited: { port: ports.limited, pid },
    does: () => true,
    expects: ({ expectation }) => expectation,
  };
  return contestant;
}

export function haproxyConfig(ports: Ports, keyMap: string): string {
  return `global
  nbthread 1
  maxconn 4096
  tune.bufsize 65536
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  option http-buffer-request
  http-reuse always
${frontend('main', ports.main, keyMap, generousPerMinute)}
${frontend('limited', ports.limited, keyMap, 1)}
backend node
  server node 127.0.0.1:${ports.upstream}
`;
}

function frontend(name: string, port: number, keyMap: string, perMinute: number): string {
  const limitHeaders = `hdr X-RateLimit-Limit ${perMinute} hdr X-RateLimit-Remaining 0 hdr X-RateLimit-Reset "%[date(60)]" hdr Retry-After 60`;
  return `backend users-${name}
  stick-table type string len 32 size 200k expire 70s store http_req_rate(60s)
frontend ${name}
  bind 127.0.0.1:${port}
  http-request set-var(txn.key) path,field(3,/) if { path_beg /rpc/fk_ }
  http-request set-var(txn.key) req.hdr(x-api-key) unless { var(txn.key) -m found }
  http-request set-var(txn.user) var(txn.key),map_str(${keyMap})
  http-request set-var(txn.id) req.body,json_query('$.id') unless { var(txn.user) -m found }
  http-request return status 403 content-type application/json lf-string '{"jsonrpc":"2.0","id":%[var(txn.id)],"error":{"code":-32001,"message":"Invalid credentials."}}' unless { var(txn.user) -m found }
  http-request track-sc0 var(txn.user) table users-${name}
  http-request set-var(txn.rate) sc_http_req_rate(0)
  http-request return status 429 content-type application/json lf-string '{"timestamp":%[date(0,ms)],"status":429,"error":"Too many requests","message":"Rate limit exceeded.","path":"/rpc"}' ${limitHeaders} if { var(txn.rate) -m int gt ${perMinute} }
  http-request set-var(txn.method) req.body,json_query('$.method')
  acl blocked var(txn.method) -m beg -i personal_ admin_ txpool_ miner_ engine_ clique_ debug_ parity_ anvil_ hardhat_
  http-request set-var(txn.id) req.body,json_query('$.id') if blocked
  http-request return status 403 content-type application/json lf-string '{"jsonrpc":"2.0","id":%[var(txn.id)],"error":{"code":-32601,"message":"Method not allowed."}}' hdr X-RateLimit-Limit ${perMinute} hdr X-RateLimit-Remaining "%[int(${perMinute}),sub(txn.rate)]" hdr X-RateLimit-Reset "%[date(60)]" if blocked
  http-request del-header x-api-key
  http-request set-path /
  http-response set-header X-RateLimit-Limit ${perMinute}
  http-response set-header X-RateLimit-Remaining %[int(${perMinute}),sub(txn.rate)]
  http-response set-header X-RateLimit-Reset %[date(60)]
  default_backend node
`;
}

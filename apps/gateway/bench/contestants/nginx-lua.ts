/** nginx doing all of Flowgate's job in Lua (LuaJIT, cjson, a shared dictionary), if those modules are installed. */
import { existsSync } from 'node:fs';
import { type Contestant, type Entry, generousPerMinute, type Runtime } from '../contestant.ts';
import { keyMapOf } from '../population.ts';
import { accepts, freePort } from '../workshop.ts';
import { nginxFrame } from './nginx.ts';

type Ports = { readonly main: number; readonly limited: number };

/** `root` is where the distribution's Lua packages are unpacked: `/` when they are installed. */
export async function startNginxLua(around: Runtime, root: string): Promise<Entry> {
  const program = Bun.which('nginx');
  const modules = ['ndk_http_module', 'ngx_http_lua_module'].map((name) => `${root}/usr/lib/nginx/modules/${name}.so`);
  if (program === null || !modules.every(existsSync) || !cjsonLibraries(root).some(existsSync))
    return { name: 'nginx-lua', absent: 'not installed' };
  const { workshop, population, upstreamPort } = around;
  const keys = workshop.write('nginx-lua.map', keyMapOf(population));
  const ports: Ports = { main: await freePort(), limited: await freePort() };
  const frame = nginxFrame({
    directory: workshop.directory,
    name: 'nginx-lua',
    upstreamPort,
    http: `${prelude(root, keys)}${server(ports.main, generousPerMinute)}${server(ports.limited, 1)}`,
    modules: modules.map((file) => `load_module ${file};\n`).join(''),
  });
  const config = workshop.write('nginx-lua.conf', frame);
  const { pid } = await workshop.start('nginx-lua', [program, '-c', config, '-p', workshop.directory], () =>
    accepts(ports.main),
  );
  const contestant: Contestant = {
    name: 'nginx-lua',
    main: { port: ports.main, pid },
    limited: { port: ports.limited, pid },
    does: () => true,
    expects: ({ expectation }) => expectation,
  };
  return contestant;
}

/** Debian's lua-cjson, a package of its own. */
function cjsonLibraries(root: string): readonly string[] {
  return ['x86_64', 'aarch64'].map((machine) => `${root}/usr/lib/${machine}-linux-gnu/lua/5.1/cjson.so`);
}

function prelude(root: string, keyMap: string): string {
  return `  lua_package_path "${root}/usr/share/lua/5.1/?.lua;;";
  lua_package_cpath "${root}/usr/lib/x86_64-linux-gnu/lua/5.1/?.so;${root}/usr/lib/aarch64-linux-gnu/lua/5.1/?.so;;";
  lua_shared_dict counters 32m;
  init_by_lua_block {
    cjson = require "cjson.safe"
    users = {}
    for line in io.lines("${keyMap}") do
      local key, user = line:match("^(%S+) (%S+)$")
      users[key] = user
    end
    families = {}
    for name in ("personal admin txpool miner engine clique debug parity anvil hardhat"):gmatch("%S+") do families[name] = true end
    function answer(status, body)
      ngx.status = status
      ngx.header["Content-Length"] = #body
      ngx.print(body)
      return ngx.exit(ngx.HTTP_OK)
    end
    function refused(id, status, code, message)
      return answer(status, '{"jsonrpc":"2.0","id":' .. cjson.encode(id) .. ',"error":{"code":' .. code .. ',"message":"' .. message .. '"}}')
    end
    function gate(limit)
      ngx.req.read_body()
      local message = cjson.decode(ngx.req.get_body_data())
      local key = ngx.var.uri:match("^/rpc/(fk_.+)$") or ngx.var.http_x_api_key
      local user = key and users[key]
      if not user then return refused(message.id, 403, -32001, "Invalid credentials.") end
      local now = ngx.now()
      local window = math.floor(now / 60)
      local calls = message[1] and #message or 1
      local count = ngx.shared.counters:incr(user .. ":" .. window, calls, 0, 60)
      ngx.header["X-RateLimit-Limit"] = limit
      ngx.header["X-RateLimit-Remaining"] = math.max(0, limit - count)
      ngx.header["X-RateLimit-Reset"] = (window + 1) * 60
      if count > limit then
        ngx.header["Retry-After"] = math.ceil((window + 1) * 60 - now)
        return answer(429, '{"timestamp":' .. math.floor(now * 1000) .. ',"status":429,"error":"Too many requests","message":"Rate limit exceeded.","path":"/rpc"}')
      end
      for _, call in ipairs(message[1] and message or { message }) do
        if families[call.method:lower():match("^[^_]*")] then return refused(call.id, 403, -32601, "Method not allowed.") end
      end
    end
  }
`;
}

function server(port: number, perMinute: number): string {
  return `  server {
    listen 127.0.0.1:${port};
    location /rpc {
      access_by_lua_block { gate(${perMinute}) }
      proxy_pass http://node/;
    }
  }
`;
}

import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { createTimeSlices, runAtOnce } from '@flowgate/async/time-slices';
import { systemClock } from '@flowgate/base/clock';
import { refusalReasons } from '../../../api/refusal.ts';
import type { PublicRoute, Reply } from '../../../api/route.ts';
import { appRoutes } from '../../../flow/apps/app-routes.ts';
import { deliveryRoutes } from '../../../flow/events/delivery-routes.ts';
import { agentRoute } from '../../../mcp/mcp-routes.ts';
import { rpcRoutes } from '../../../rpc/rpc-routes.ts';
import { openApiDocument } from '../openapi.ts';
import { referenceRoutes } from './reference-routes.ts';
import { script } from './script.ts';

const hostile: PublicRoute = {
  method: 'GET',
  path: '/hostile',
  accessLevel: 'public',
  doc: {
    summary: '<script>alert(1)</script>',
    description: '"><img src=x> `<b>`',
    tag: 'Tests & co',
    responses: [],
    refusals: [],
  },
  handle: () => ({ status: 204 }),
};
let made = 0;
const limits = { userPerMinute: 300, sessionPerMinute: 60, invalidPerMinute: 300, maxBatch: 100, maxBodyBytes: 1024 };
const routes: readonly PublicRoute[] = [hostile, ...referenceRoutes(makeDocument, createTimeSlices(systemClock))];

function makeDocument() {
  made += 1;
  return openApiDocument({
    routes,
    rpcRoutes,
    agentRoute,
    outgoingRoutes: [...appRoutes, ...deliveryRoutes],
    publicUrl: 'http://127.0.0.1',
    version: '1',
    limits,
  });
}

async function get(path: string): Promise<Reply & { text: string }> {
  const route = routes.find((each) => each.path === path);
  const answer = await route?.handle({
    params: {},
    query: new URLSearchParams(),
    body: undefined,
    header: () => null,
    requestId: 'r',
  });
  if (answer === undefined || 'reason' in answer) throw new Error(`no answer from ${path}`);
  return { ...answer, text: String(answer.body) };
}

test('the document describes its own routes and is built once', async () => {
  const before = made;
  const { text, contentType } = await get('/openapi.json');
  expect(contentType).toBe('application/json');
  expect(Object.keys(JSON.parse(text).paths)).toEqual(
    expect.arrayContaining(['/openapi.json', '/reference', '/rpc/{apiKey}']),
  );
  await get('/openapi.json');
  expect(made - before).toBe(1);
});

test.each(['/openapi.json', '/reference'])(
  '%s is one byte array for all callers, so that a slow caller needs no copy',
  async (path) => {
    const [one, other] = [await get(path), await get(path)];
    expect(one.body).toBeInstanceOf(Uint8Array);
    expect(other.body).toBe(one.body);
  },
);

test('document and page are built in pieces that do not block the event loop, and concurrent requests share one build', async () => {
  const before = made;
  let steps = 0;
  const counted = {
    run: async (step: () => boolean) => {
      do steps += 1;
      while (!step());
    },
  };
  const fresh = referenceRoutes(makeDocument, counted);
  const request = { params: {}, query: new URLSearchParams(), body: undefined, header: () => null, requestId: 'r' };
  const answers = await Promise.all([...fresh, ...fresh].map((route) => route.handle(request)));
  expect(answers.map((answer) => 'status' in answer && answer.status)).toEqual([200, 200, 200, 200]);
  expect(made - before).toBe(1);
  const operations = Object.values(runAtOnce(makeDocument()).paths).flatMap((methods) => Object.values(methods));
  expect(steps).toBeGreaterThan(2 * operations.length);
});

test('the page shows every operation with a curl line, and every reason of the catalog', async () => {
  const { text } = await get('/reference');
  const operations = Object.values(runAtOnce(makeDocument()).paths).flatMap((methods) => Object.values(methods));
  for (const { operationId } of operations) expect(text).toContain(`id="${operationId}"`);
  expect(text.split('<figcaption>curl</figcaption>').length - 1).toBe(operations.length);
  for (const reason of refusalReasons) expect(text).toContain(`<code>${reason}</code></th>`);
});

test('operations and tables are no landmarks', async () => {
  const { text } = await get('/reference');
  expect(text).toContain('<article class="operation"');
  expect(text).not.toContain('role="region"');
  expect(text).not.toMatch(/<section[^>]*aria-/);
});

test('descriptions of routes are text in the page, never markup', async () => {
  const { text } = await get('/reference');
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(text.split('<script').length - 1).toBe(1);
  expect(text).not.toContain('<img');
  expect(text).toContain('<code>&lt;b&gt;</code>');
});

test('the policy allows only the one style sheet and the one script, by their hashes', async () => {
  const { text, headers } = await get('/reference');
  const hashOf = (tag: string) => {
    const found = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text)?.[1] ?? '';
    return createHash('sha256').update(found).digest('base64');
  };
  expect(headers?.['Content-Security-Policy']).toBe(
    `default-src 'none'; script-src 'sha256-${hashOf('script')}'; style-src 'sha256-${hashOf('style')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; require-trusted-types-for 'script'`,
  );
  expect(text).not.toMatch(/ (?:style|on\w+)="/);
  expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
});

test('the script writes only text, sends no request, and stores nothing', () => {
  expect(script).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|Function\(/);
  expect(script).not.toMatch(/fetch|XMLHttpRequest|WebSocket|sendBeacon|import\(|localStorage|sessionStorage|cookie/);
  expect(script).not.toContain('</');
});

test('the page shows the requests to apps and webhook endpoints with their addresses', async () => {
  const { text } = await get('/reference');
  for (const { operationId } of Object.values(runAtOnce(makeDocument()).webhooks).flatMap((methods) =>
    Object.values(methods),
  ))
    expect(text).toContain(`id="${operationId}"`);
  expect(text).toContain('<code class="path">{baseUrl}<wbr>/renderStep</code>');
});

test('every link within the page has a target', async () => {
  const { text } = await get('/reference');
  const targets = [...text.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target ?? '');
  expect(targets.length).toBeGreaterThan(20);
  expect(targets.filter((target) => !text.includes(`id="${target}"`))).toEqual([]);
});

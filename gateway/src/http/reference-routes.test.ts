import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { refusalReasons } from '../access/refusal.ts';
import type { PublicRoute, Reply } from '../access/route.ts';
import { agentRoute } from '../agents/routes.ts';
import { rpcRoutes } from '../rpc/routes.ts';
import { openApiDocument } from './openapi.ts';
import { referenceRoutes } from './reference-routes.ts';

const hostile: PublicRoute = {
  method: 'GET',
  path: '/hostile',
  admittance: 'public',
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
const routes: readonly PublicRoute[] = [hostile, ...referenceRoutes(makeDocument)];

function makeDocument() {
  made += 1;
  return openApiDocument({ routes, rpcRoutes, agentRoute, publicUrl: 'http://127.0.0.1', version: '1', limits });
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

test('the document describes the routes that serve it, and is made once (issue 2, Operation)', async () => {
  const before = made;
  const { text, contentType } = await get('/openapi.json');
  expect(contentType).toBe('application/json');
  expect(Object.keys(JSON.parse(text).paths)).toEqual(
    expect.arrayContaining(['/openapi.json', '/reference', '/rpc/{apiKey}']),
  );
  await get('/openapi.json');
  expect(made - before).toBe(1);
});

test('the page shows every operation with a curl line, and every reason of the catalogue', async () => {
  const { text } = await get('/reference');
  const operations = Object.values(makeDocument().paths).flatMap((methods) => Object.values(methods));
  for (const { operationId } of operations) expect(text).toContain(`id="${operationId}"`);
  expect(text.split('<figcaption>curl</figcaption>').length - 1).toBe(operations.length);
  for (const reason of refusalReasons) expect(text).toContain(`<code>${reason}</code></th>`);
});

test('what routes say about themselves is text in the page, never markup', async () => {
  const { text } = await get('/reference');
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(text).not.toContain('<script');
  expect(text).not.toContain('<img');
  expect(text).toContain('<code>&lt;b&gt;</code>');
});

test('the policy lets nothing load or run but the one style sheet, whose hash it holds', async () => {
  const { text, headers } = await get('/reference');
  const sheet = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? '';
  const hash = createHash('sha256').update(sheet).digest('base64');
  expect(headers?.['Content-Security-Policy']).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  expect(text).not.toMatch(/ (?:style|on\w+)="/);
  expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
});

test('every link within the page leads somewhere', async () => {
  const { text } = await get('/reference');
  const targets = [...text.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target ?? '');
  expect(targets.length).toBeGreaterThan(20);
  expect(targets.filter((target) => !text.includes(`id="${target}"`))).toEqual([]);
});

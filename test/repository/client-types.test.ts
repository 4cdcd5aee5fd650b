/**
 * The client's body types are generated from the OpenAPI document, whose schemas also check and write the bodies
 * (docs/decisions/0056).
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { OpenApiDocument } from '../../apps/gateway/src/edge/openapi/openapi-document.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { clientBodies } from './client-bodies.ts';
import { clientRoutes, clientShapes } from './client-routes.ts';

const repository = join(import.meta.dir, '../..');
let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

async function formatted(path: string, text: string): Promise<string> {
  const biome = join(repository, 'node_modules/@biomejs/biome/bin/biome');
  const child = Bun.spawn(['node', biome, 'format', `--stdin-file-path=${path}`], {
    cwd: repository,
    stdin: new Blob([text]),
    stdout: 'pipe',
  });
  const [code, output] = await Promise.all([child.exited, child.stdout.text()]);
  expect(code).toBe(0);
  return output;
}

test.each([
  ['bodies', ({ components }: OpenApiDocument) => clientBodies(components.schemas)],
  ['routes', clientRoutes],
  ['shapes', clientShapes],
] as const)(
  'the client’s %s are generated from the OpenAPI document that the gateway serves',
  async (name, generate) => {
    const document: OpenApiDocument = JSON.parse(await (await gateway.fetch('/openapi.json')).text());
    const path = `client/src/generated/${name}.ts`;
    const file = join(repository, path);
    const wanted = await formatted(path, await generate(document));
    if (process.env['UPDATE_DOCS'] === '1') await Bun.write(file, wanted);
    expect(await Bun.file(file).text()).toBe(wanted);
  },
);

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { startVisitedGateway, type VisitedGateway } from './soak/visited-gateway.ts';
import { visits } from './soak/visits.ts';

let gateway: VisitedGateway;

beforeAll(async () => {
  gateway = await startVisitedGateway();
});
afterAll(() => gateway.stop());

test.each(visits)('%s: every caller that must get an answer gets it', async (_name, visit) => {
  let answered = 0;
  const choose = (below: number) => Math.floor(below / 3);
  const visited = {
    port: gateway.port,
    apiKey: gateway.apiKey,
    choose,
    answered: () => {
      answered += 1;
    },
  };
  await visit(visited);
  await visit(visited);
  expect(answered % 2).toBe(0);
});

test('a gateway reports the live objects of its process', async () => {
  const figures = await gateway.measure();
  expect(figures['residentMiB']).toBeGreaterThan(10);
  expect(figures['sockets']).toBeGreaterThan(0);
  expect(figures['timers']).toBeGreaterThan(0);
});

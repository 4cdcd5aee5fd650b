/** The table in docs/concepts/architecture.md has the steps of each surface from edge/pipelines/pipelines.ts. */

import { test } from 'bun:test';
import {
  agentPipeline,
  messagePipeline,
  routePipeline,
  rpcPipeline,
  upgradePipeline,
} from '../../apps/gateway/src/edge/pipelines/pipelines.ts';
import { expectPart, table } from './doc-pages.ts';

test('the table of steps matches the code', async () => {
  const surfaces = [rpcPipeline, upgradePipeline, messagePipeline, routePipeline, agentPipeline].map(
    ({ steps, run, reply }) =>
      [...steps, run, ...(reply === undefined ? [] : [reply])].map(({ name }) => `\`${name}\``),
  );
  const rows = Array.from({ length: Math.max(...surfaces.map(({ length }) => length)) }, (_, at) =>
    surfaces.map((names) => names[at] ?? ''),
  );
  await expectPart(
    'concepts/architecture.md',
    'pipelines',
    table(['JSON-RPC', 'WebSocket', 'its messages', 'REST and Flow', 'agents'], rows),
  );
});

/** docs/concepts/architecture.md has the table of edge/pipelines/pipelines.ts, with the steps of each surface. */

import { test } from 'bun:test';
import {
  agentPipeline,
  messagePipeline,
  routePipeline,
  rpcPipeline,
  upgradePipeline,
} from '../../apps/gateway/src/edge/pipelines/pipelines.ts';
import { expectPart, table } from './document-part.ts';

test('the table of steps is the code', async () => {
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

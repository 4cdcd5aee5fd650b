/** `docs/reference/agent-tools.md` lists the tools at /mcp with their arguments. */

import { expect, test } from 'bun:test';
import { z } from 'zod';
import { allTools } from '../../apps/gateway/src/mcp/all-tools.ts';
import { createAgentHandler } from '../../apps/gateway/src/mcp/answer-mcp-message.ts';
import { expectPage, referencePage, table } from './doc-pages.ts';

const listedTools = z.object({
  result: z.object({
    tools: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        description: z.string(),
        inputSchema: z.object({
          properties: z.record(z.string(), z.object({ description: z.string().optional() })).default({}),
          required: z.array(z.string()).default([]),
        }),
      }),
    ),
  }),
});

test('the page lists every tool with its arguments and their descriptions', async () => {
  const errors: Error[] = [];
  const agents = createAgentHandler({ version: '0', tools: allTools, onError: (error) => errors.push(error) });
  const headers = new Headers({ Accept: 'application/json, text/event-stream' });
  const message = { headers, body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} } };
  const { body } = await agents.answer(message, async () => new Response(null, { status: 500 }));
  const { tools } = listedTools.parse(JSON.parse(body)).result;
  expect(errors).toEqual([]);
  expect(tools.map(({ name }) => name)).toEqual(allTools.map(({ name }) => name));
  const sections = tools.map(({ name, description, inputSchema: { properties, required } }) => {
    const rows = Object.entries(properties).map(([argument, about]) => [
      `\`${argument}\``,
      required.includes(argument) ? 'yes' : '',
      about.description ?? '',
    ]);
    return [
      `## ${name}`,
      description,
      ...(rows.length === 0 ? [] : [table(['argument', 'required', 'meaning'], rows)]),
    ];
  });
  await expectPage(
    'reference/agent-tools.md',
    referencePage(
      'Tools for agents',
      'The tools at `/mcp` ([agents](../agents.md)). A gateway without bridges or pools leaves out their tools.',
      ...sections.flat(),
    ),
  );
});

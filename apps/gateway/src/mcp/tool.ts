/** A tool for agents: its name, its input, and the routes that it calls. */

import { maxPageLimit } from '@flowgate/base/page';
import type { CallToolResult, McpServer, ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Ask } from './gateway-call.ts';

export type ToolDefinition<Input extends z.ZodObject> = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Created at its first use. Members that become part of a route's body have the schemas of that body. */
  readonly input: () => Input;
  readonly annotations: ToolAnnotations;
  readonly run: (ask: Ask, input: z.output<Input>) => Promise<CallToolResult>;
};

export type Tool = {
  readonly name: string;
  readonly addTo: (server: McpServer, ask: Ask) => void;
};

export function tool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): Tool {
  const { name, title, description, annotations, run } = definition;
  let made: Input | undefined;
  return {
    name,
    addTo(server, ask) {
      made ??= definition.input();
      const input = made;
      const config = { title, description, inputSchema: input, annotations };
      server.registerTool<z.ZodObject, z.ZodObject>(name, config, (given) => run(ask, input.parse(given)));
    },
  };
}

/** For tools that change nothing. */
export const reading: ToolAnnotations = { readOnlyHint: true, openWorldHint: true };

/** One segment of a path: not `.` or `..`, which a URL parser resolves, and encodable as UTF-8. */
export const identifier = (description: string) =>
  z
    .string()
    .min(1)
    .max(256)
    .refine((id) => !/^\.{1,2}$/.test(id) && id.isWellFormed(), 'is not a valid identifier')
    .describe(description);

export const paging = () => ({
  limit: z.int().min(1).max(maxPageLimit).default(20).describe('The maximum number of entries on a page.'),
  cursor: z.string().min(1).max(1024).optional().describe('nextCursor of the previous page. Default: the first page.'),
});

export function pathOf(strings: TemplateStringsArray, ...ids: readonly string[]): string {
  return String.raw({ raw: strings }, ...ids.map(encodeURIComponent));
}

export function withQuery(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const present = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return present.length === 0 ? path : `${path}?${present.join('&')}`;
}

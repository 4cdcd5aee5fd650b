/** The agents' path as an OpenAPI operation: its messages are JSON-RPC, its errors before them StandardErrors. */

import { type AgentRoute, agentRefusals } from '../../agents/routes.ts';
import type { Operation, Response } from './openapi-document.ts';
import { alwaysHeaders, limitHeaders, refusalResponses } from './openapi-refusals.ts';
import { ref } from './schema-parts.ts';

/** `reasons`: what the door adds to every route that takes a credential and a body. */
export function agentOperation(
  { path, summary, description }: AgentRoute,
  door: Pick<Operation, 'security'> & { readonly reasons: Parameters<typeof refusalResponses>[1] },
  publicUrl: string,
): Operation {
  const headers = { ...alwaysHeaders, ...limitHeaders };
  const refusals = refusalResponses('rest', [...agentRefusals, ...door.reasons], path, true);
  const value = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  return {
    operationId: 'postMcp',
    summary,
    description,
    tags: ['Agents'],
    security: door.security,
    parameters: [],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: ref('JsonRpcRequest'),
          examples: { tools: { summary: 'Which tools there are', value } },
        },
      },
    },
    responses: {
      '200': {
        description: "The message's answer; a tool's refusal is a result with `isError`.",
        headers,
        content: { 'application/json': { schema: ref('JsonRpcResponse') } },
      },
      '202': { description: 'A notification, which has no answer.', headers },
      ...refusals,
      ...protocolRefusals(refusals['400']),
    },
    'x-codeSamples': [
      {
        lang: 'Shell',
        label: 'curl',
        source: [
          `curl "${publicUrl}${path}"`,
          '-H "X-API-Key: $FLOWGATE_API_KEY"',
          "-H 'Content-Type: application/json'",
          "-H 'Accept: application/json, text/event-stream'",
          `-d '${JSON.stringify(value)}'`,
        ].join(' \\\n  '),
      },
    ],
  };
}

/** What the protocol itself refuses, with a JSON-RPC error (Streamable HTTP). */
function protocolRefusals(atTheDoor: Response | undefined): Readonly<Record<string, Response>> {
  const headers = { ...alwaysHeaders, ...limitHeaders };
  const refusal = (description: string, code: number, message: string) => ({
    description,
    headers,
    content: {
      'application/json': {
        schema: ref('JsonRpcError'),
        examples: { protocol: { summary: description, value: { jsonrpc: '2.0', id: null, error: { code, message } } } },
      },
    },
  });
  const noMessage = refusal('The body is no message of the protocol.', -32600, 'Invalid Request');
  const { examples } = noMessage.content['application/json'];
  const described = atTheDoor?.content?.['application/json'];
  return {
    '400': {
      description: `${atTheDoor?.description} ${noMessage.description}`,
      headers,
      content: {
        'application/json': {
          schema: { oneOf: [ref('StandardError'), ref('JsonRpcError')] },
          examples: { ...described?.examples, ...examples },
        },
      },
    },
    '404': refusal('The protocol has no such method (revision of 2026-07-28).', -32601, 'Method not found'),
    '406': refusal(
      'Accept lacks `application/json` or `text/event-stream` (earlier revisions).',
      -32000,
      'Not Acceptable',
    ),
  };
}

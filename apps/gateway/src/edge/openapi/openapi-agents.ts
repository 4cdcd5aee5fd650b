/** The agents' path as an OpenAPI operation: its messages are JSON-RPC; errors before them are StandardErrors. */

import { jsonRpcError, standardError } from '../../api/error-wire.ts';
import type { Components } from '../../api/json-schema.ts';
import { type AgentRoute, agentRefusals } from '../../mcp/mcp-routes.ts';
import type { Operation, Response } from './openapi-document.ts';
import type { OperationContext } from './openapi-operation.ts';
import { alwaysHeaders, limitHeaders, type RefusalsOf, refusalResponses } from './openapi-refusals.ts';

/** `reasons`: the refusals that the edge adds to every route with a credential and a body. */
export function agentOperation(
  { path, summary, description, message, answer }: AgentRoute,
  common: Pick<Operation, 'security'> & Pick<RefusalsOf, 'reasons'>,
  { publicUrl, components }: Pick<OperationContext, 'publicUrl' | 'components'>,
): Operation {
  const headers = { ...alwaysHeaders, ...limitHeaders };
  const refusals = refusalResponses(
    { envelope: 'rest', reasons: [...agentRefusals, ...common.reasons], path, limited: true },
    components,
  );
  const value = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  return {
    operationId: 'postMcp',
    summary,
    description,
    tags: ['Agents'],
    security: common.security,
    parameters: [],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: components.ref(message, 'input'),
          examples: { tools: { summary: 'List the tools', value } },
        },
      },
    },
    responses: {
      '200': {
        description: "The message's answer; a tool's refusal is a result with `isError`.",
        headers,
        content: { 'application/json': { schema: components.ref(answer, 'output') } },
      },
      '202': { description: 'A notification, which has no answer.', headers },
      ...refusals,
      ...protocolRefusals(refusals['400'], components),
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

/** The protocol's own refusals, as JSON-RPC errors (Streamable HTTP). */
function protocolRefusals(atTheDoor: Response | undefined, components: Components): Readonly<Record<string, Response>> {
  const error = components.ref(jsonRpcError, 'output');
  const headers = { ...alwaysHeaders, ...limitHeaders };
  const refusal = (description: string, code: number, message: string) => ({
    description,
    headers,
    content: {
      'application/json': {
        schema: error,
        examples: { protocol: { summary: description, value: { jsonrpc: '2.0', id: null, error: { code, message } } } },
      },
    },
  });
  const noMessage = refusal('The body is not a message of the protocol.', -32600, 'Invalid Request');
  const { examples } = noMessage.content['application/json'];
  const described = atTheDoor?.content?.['application/json'];
  return {
    '400': {
      description: `${atTheDoor?.description} ${noMessage.description}`,
      headers,
      content: {
        'application/json': {
          schema: { oneOf: [components.ref(standardError, 'output'), error] },
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

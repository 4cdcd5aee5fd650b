/** The bodies of the edge's own routes: health, pages, and metadata. */

import { bodySchema, textSchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';

export const health = bodySchema('Health', 'The process runs.', () => z.object({ status: z.literal('ok') }), {
  status: 'ok',
});

export const readiness = bodySchema(
  'Readiness',
  'The gateway can answer requests.',
  () =>
    z.object({
      status: z.literal('ready'),
      checks: z.object({ database: z.literal('ok'), identityProvider: z.literal('ok') }),
    }),
  { status: 'ready', checks: { database: 'ok', identityProvider: 'ok' } },
);

export const protectedResource = bodySchema(
  'ProtectedResource',
  'The issuer whose access tokens this gateway accepts (RFC 9728).',
  () =>
    z.object({
      resource: z.string().meta({ format: 'uri' }).describe('The address of the gateway.'),
      resource_name: z.string(),
      resource_documentation: z.string().meta({ format: 'uri' }),
      authorization_servers: z.array(z.string()).describe('The issuer, as in the claim `iss` of its tokens.'),
      bearer_methods_supported: z.array(z.literal('header')),
      flowgate_command_line: z
        .object({
          client_id: z.string(),
          scope: z.string(),
          audience: z.string().describe('Present when the issuer requires it.').exactOptional(),
        })
        .describe('The client id that `flowgate login` uses.'),
    }),
  {
    resource: 'https://gateway.example',
    resource_name: 'Flowgate',
    resource_documentation: 'https://gateway.example/reference',
    authorization_servers: ['https://login.example'],
    bearer_methods_supported: ['header'],
    flowgate_command_line: { client_id: 'flowgate-cli', scope: 'openid offline_access' },
  },
);

const free = () => z.looseObject({});

export const openApiDocumentBody = bodySchema('OpenApiDocument', 'An OpenAPI 3.1 document: this one.', () =>
  z.object({
    openapi: z.string().regex(/^3\.1\./),
    info: free(),
    servers: z.array(free()).describe('The addresses of the gateway.'),
    tags: z.array(free()).describe('The groups of routes.'),
    paths: free(),
    webhooks: free(),
    components: free(),
  }),
);

export const svgImage = textSchema('SvgImage', 'An image.', 'image/svg+xml');
export const htmlPage = textSchema('HtmlPage', 'An HTML page.', 'text/html; charset=utf-8');

/** `X-Flowgate-Trace`. Only the value `1` has an effect. */
export const traceFlag = z.string();

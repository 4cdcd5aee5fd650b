/** JSON Schemas of errors, JSON-RPC messages and operational answers. */

import type { ProblemDetails } from '@flowgate/client/flow-wire';
import { list, record, ref, text } from './schema-parts.ts';

export const errorSchemas = {
  ProblemDetails: record<ProblemDetails>(
    'Every error below `/flow/` (RFC 7807).',
    {
      type: text('The class of the error.', { pattern: '^urn:svc:error:[a-z-]+$' }),
      title: text('A short summary.'),
      status: { type: 'integer', description: 'The HTTP status.', minimum: 400, maximum: 599 },
      detail: text('What was wrong with this request.'),
      retryable: { type: 'boolean', description: 'Whether trying again may help; back off and limit the depth.' },
      instance: text("The request's id, as in `X-Request-Id`."),
      errors: list(
        "On 400: all that is wrong with the request, one entry each; at most 50 of them are the gateway's own.",
        {
          type: 'object',
          properties: {
            fieldId: text('The field of the step, where it is one.'),
            message: text('What is wrong; a whole sentence where there is no `fieldId`.'),
          },
          required: ['message'],
        },
        { minItems: 1 },
      ),
      paymentReceipt: ref('PaymentReceipt'),
    },
    ['type', 'title', 'status', 'detail', 'retryable', 'instance'],
    {
      type: 'urn:svc:error:not-found',
      title: 'Not found',
      status: 404,
      detail: 'There is nothing at this path.',
      retryable: false,
      instance: 'req_01KAJ0Z6V2',
    },
  ),
};

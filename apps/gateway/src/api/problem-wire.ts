/** The error bodies below `/flow/`, where a step may require a payment (contract/errors#envelopes, contract/payments). `edge/contexts/envelopes` writes them. */

import { anyMembers } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import { errorStatus } from './error-wire.ts';

export const paymentReceipt = bodySchema(
  'PaymentReceipt',
  'The settled x402 payment. Present only in the response to the submission that it paid for.',
  () =>
    z.object({
      success: z.literal(true),
      transaction: z.string().describe("The settlement's transaction hash."),
      network: z.string().describe('CAIP-2.'),
      payer: z.string().describe('The address that paid.').exactOptional(),
      amount: z.string().describe('In base units.').exactOptional(),
      asset: z.string().describe("The token's address.").exactOptional(),
      payTo: z.string().describe('The address that was paid.').exactOptional(),
    }),
  {
    success: true,
    transaction: '0x6f1c2a9d0b7e4f3388d5c1e2a4b697d80c5f1e3a2b4d6879900a1b2c3d4e5f60',
    network: 'eip155:8453',
  },
);

export type PaymentReceipt = BodyOf<typeof paymentReceipt>;

const instance = () => z.string().describe("The request's id, as in `X-Request-Id`.");

/** One of a request's problems. */
const problem = () =>
  z.object({
    fieldId: z.string().describe('The field of the step, if the problem is about a field.').exactOptional(),
    message: z.string().describe('What is wrong. A complete sentence if `fieldId` is absent.'),
  });

export const problemDetails = bodySchema(
  'ProblemDetails',
  'Every error below `/flow/` (RFC 7807).',
  () =>
    z.object({
      type: z
        .string()
        .regex(/^urn:svc:error:[a-z-]+$/)
        .describe('The kind of error, as a URN.'),
      title: z.string().describe('A short summary.'),
      status: errorStatus(),
      detail: z.string().describe('What is wrong with this request.'),
      retryable: z
        .boolean()
        .describe('Whether a retry may succeed. Retry with increasing pauses and a maximum number of attempts.'),
      instance: instance(),
      errors: z
        .array(problem())
        .min(1)
        .describe(
          'On 400: all problems of the request, one entry each. The gateway reports at most 50 problems of its own.',
        )
        .exactOptional(),
      paymentReceipt: paymentReceipt.schema().exactOptional(),
    }),
  {
    type: 'urn:svc:error:not-found',
    title: 'Not found',
    status: 404,
    detail: 'There is nothing at this path.',
    retryable: false,
    instance: 'req_01KAJ0Z6V2',
  },
);

/** Members that x402 defines for a 402. */
export const examplePaymentMembers = {
  x402Version: 2,
  error: 'PAYMENT-SIGNATURE or X-Payment header is required',
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:8453',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      amount: '50000',
      payTo: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      maxTimeoutSeconds: 60,
      extra: { name: 'USD Coin', version: '2' },
    },
  ],
  resource: { url: 'https://gateway.example/flow/sessions/ses_01KAJ0Z6V2M8T4Q9R3WX5Y7ABE/steps/pay' },
};

export const paymentRequired = bodySchema(
  'PaymentRequired',
  'A ProblemDetails with the members that x402 defines.',
  () =>
    z.object({
      type: z.literal('urn:svc:error:payment-required').describe('The kind of error, as a URN.'),
      title: z.string().describe('A short summary.'),
      status: z.literal(402),
      detail: z.string().describe('Why the payment was not accepted.'),
      retryable: z.literal(false),
      instance: instance(),
      x402Version: z.int().describe('The version of x402.'),
      error: z.string().describe('Why the payment was not accepted.'),
      accepts: z
        .array(anyMembers('One accepted way to pay.'))
        .describe('The accepted payments (x402 PaymentRequirements). Any one of them pays for the step.'),
      resource: anyMembers('The resource that the payment is for.'),
    }),
  {
    type: 'urn:svc:error:payment-required',
    title: 'Payment required',
    status: 402,
    detail: 'This step has to be paid for: PAYMENT-SIGNATURE or X-Payment header is required.',
    retryable: false,
    instance: 'req_01KAJ0Z6V2',
    ...examplePaymentMembers,
  },
);

/** The errors below `/flow/`, where a step may need a payment (contract/errors#envelopes, contract/payments). `edge/contexts/envelopes` writes them. */

import { anyMembers } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import { errorStatus } from './error-wire.ts';

export const paymentReceipt = bodySchema(
  'PaymentReceipt',
  'A settled x402 payment; only in the answer to the submission that was paid for.',
  () =>
    z.object({
      success: z.literal(true),
      transaction: z.string().describe("The settlement's transaction hash."),
      network: z.string().describe('CAIP-2.'),
      payer: z.string().describe('Who paid.').exactOptional(),
      amount: z.string().describe('In base units.').exactOptional(),
      asset: z.string().describe("The token's address.").exactOptional(),
      payTo: z.string().describe('Who was paid.').exactOptional(),
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
    fieldId: z.string().describe('The field of the step, where it is one.').exactOptional(),
    message: z.string().describe('What is wrong; a whole sentence where there is no `fieldId`.'),
  });

export const problemDetails = bodySchema(
  'ProblemDetails',
  'Every error below `/flow/` (RFC 7807).',
  () =>
    z.object({
      type: z
        .string()
        .regex(/^urn:svc:error:[a-z-]+$/)
        .describe('The class of the error.'),
      title: z.string().describe('A short summary.'),
      status: errorStatus(),
      detail: z.string().describe('What was wrong with this request.'),
      retryable: z.boolean().describe('Whether trying again may help; back off and limit the depth.'),
      instance: instance(),
      errors: z
        .array(problem())
        .min(1)
        .describe(
          "On 400: all that is wrong with the request, one entry each; at most 50 of them are the gateway's own.",
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

/** x402's own members of a 402. */
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
  "A ProblemDetails with x402's own members.",
  () =>
    z.object({
      type: z.literal('urn:svc:error:payment-required').describe('The class of the error.'),
      title: z.string().describe('A short summary.'),
      status: z.literal(402),
      detail: z.string().describe('Why no payment was taken.'),
      retryable: z.literal(false),
      instance: instance(),
      x402Version: z.int().describe('Of the protocol.'),
      error: z.string().describe('Why no payment was taken.'),
      accepts: z
        .array(anyMembers('An offer.'))
        .describe('Any one of these pays for the step (x402 PaymentRequirements).'),
      resource: anyMembers('What is paid for.'),
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

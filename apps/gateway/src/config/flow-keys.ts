/** The configuration of Flow Apps: limits and time-outs of sessions, payments, embedded apps, the content filter. */

import { domainForm } from '@flowgate/base/identifier';
import { z } from 'zod';
import { isWebhookSecret } from '../flow/signing/webhook-signature.ts';
import { httpUrl, identifier, seconds, whole } from './value-forms.ts';

export const flowKeys = z.strictObject({
  sessionTtlSeconds: seconds(1, 31_536_000).default(86_400).describe('Idle time after which a Flow session expires.'),
  maxActiveSessions: whole(1, 100_000)
    .default(1_000)
    .describe('Active Flow sessions of one user. A further start receives 409.'),
  maxUserBytes: whole(1_048_576, 1_099_511_627_776)
    .default(268_435_456)
    .describe(
      'Storage of one user for Flow sessions (with responses and events) and app data. A start or step beyond it receives 409.',
    ),
  retentionDays: whole(0, 36_500)
    .default(30)
    .describe('Time for which an ended Flow session is stored, with its responses and events; 0 stores it forever.'),
  renderTimeoutSeconds: seconds(0.1, 200).default(10).describe('Time within which a Flow App must respond.'),
  leaseSeconds: seconds(1, 600)
    .default(15)
    .describe('Duration of the lease under which one gateway runs a step of a session.'),
  facilitatorUrl: httpUrl
    .optional()
    .describe('The x402 facilitator that settles payments. Redirects are not followed.'),
  embeddedApps: z
    .array(z.string().min(1))
    .default([])
    .describe(
      'Modules, relative to the working directory, whose default export is a Flow App that runs inside the gateway.',
    ),
  contentFilter: z
    .strictObject({
      disable: z.array(identifier).default([]).describe('Built-in rules, by `ruleId`, that are not applied.'),
      flag: z.array(identifier).default([]).describe('Rules, built-in or added below, that warn instead of refusing.'),
      rules: z
        .array(
          z.strictObject({
            ruleId: identifier.describe('Unique name; refusals contain it.'),
            pattern: z
              .string()
              .min(1)
              .max(1_000)
              .describe(
                'RE2 pattern that no text of an app may match, anywhere in the text and in upper or lower case.',
              ),
          }),
        )
        .max(100)
        .default([])
        .describe('Rules for the texts of Flow Apps, in addition to the built-in ones.'),
      linkDomains: z
        .array(z.string().regex(domainForm, 'must be a domain name in lower case, such as etherscan.io'))
        .max(200)
        .default([])
        .describe(
          'Domains, with their subdomains, to which the texts of every app may link, such as those of block explorers.',
        ),
      classifier: z
        .strictObject({
          url: httpUrl.describe('Service that classifies every text that the rules pass. HTTPS, or HTTP on loopback.'),
          secret: z
            .string()
            .min(24)
            .refine(isWebhookSecret, 'must be whsec_ and base64, or any other text')
            .describe(
              'Secret that signs each request in the same way as webhooks: `whsec_` and base64, or any other text.',
            ),
          timeoutMs: whole(50, 60_000).default(5_000).describe('Time within which the classifier must respond.'),
          onFailure: z
            .enum(['allow', 'refuse'])
            .default('refuse')
            .describe(
              'Decision about a text that the classifier does not classify in time, or that is too large for it.',
            ),
          maxBytes: whole(1_024, 1_048_576)
            .default(65_536)
            .describe('Size of the text in one request; larger texts fall under `onFailure`.'),
        })
        .optional(),
    })
    .prefault({}),
});

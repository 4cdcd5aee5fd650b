/** The configuration of Flow Apps: limits and time-outs of sessions, payments, embedded apps, the content filter. */

import { domainForm } from '@flowgate/base/identifier';
import { z } from 'zod';
import { isWebhookSecret } from '../flow/signing/webhook-signature.ts';
import { httpUrl, identifier, seconds, whole } from './value-forms.ts';

export const flowKeys = z.strictObject({
  sessionTtlSeconds: seconds(1, 31_536_000)
    .default(86_400)
    .describe('Seconds after which an idle Flow session expires.'),
  maxActiveSessions: whole(1, 100_000)
    .default(1_000)
    .describe('Flow sessions that one user may have active at once; a start beyond it is 409.'),
  maxUserBytes: whole(1_048_576, 1_099_511_627_776)
    .default(268_435_456)
    .describe(
      'Bytes that one user may keep in Flow sessions, with responses and events, and in app data; a start or step beyond it is 409.',
    ),
  retentionDays: whole(0, 36_500)
    .default(30)
    .describe(
      'Days for which a Flow session that is over is kept, with its responses and events; 0 keeps it for ever.',
    ),
  renderTimeoutSeconds: seconds(0.1, 200).default(10).describe('Seconds within which a Flow App must have answered.'),
  leaseSeconds: seconds(1, 600)
    .default(15)
    .describe('Seconds for which one gateway holds a session while it runs a step.'),
  facilitatorUrl: httpUrl
    .optional()
    .describe('The x402 facilitator that settles payments. Redirects are not followed.'),
  embeddedApps: z
    .array(z.string().min(1))
    .default([])
    .describe(
      'Modules, relative to the working directory, whose default export is a Flow App that runs in the gateway.',
    ),
  contentFilter: z
    .strictObject({
      disable: z
        .array(identifier)
        .default([])
        .describe("Rules of the gateway's own that are not applied, by their ruleId."),
      flag: z
        .array(identifier)
        .default([])
        .describe("Rules, the gateway's own or those below, that let pass with a warning what they would refuse."),
      rules: z
        .array(
          z.strictObject({
            ruleId: identifier.describe('Unique; named in the refusal.'),
            pattern: z
              .string()
              .min(1)
              .max(1_000)
              .describe('What no text of an app may hold: an RE2 pattern, matched anywhere, letters of either case.'),
          }),
        )
        .max(100)
        .default([])
        .describe("Further rules for the texts that Flow Apps send; the gateway's own are in content-filter.md."),
      linkDomains: z
        .array(z.string().regex(domainForm, 'must be a domain name in small letters, such as etherscan.io'))
        .max(200)
        .default([])
        .describe(
          'Domains to which the texts of every app may lead, those of explorers for example; those below them are included.',
        ),
      classifier: z
        .strictObject({
          url: httpUrl.describe(
            'Asked about every text that the rules let pass; https, or http on loopback ([classifier](content-classifier.md)).',
          ),
          secret: z
            .string()
            .min(24)
            .refine(isWebhookSecret, 'must be whsec_ and base64, or any other text')
            .describe('Signs each request as webhooks are signed; `whsec_` and base64, or any other text.'),
          timeoutMs: whole(50, 60_000)
            .default(5_000)
            .describe('Milliseconds within which the classifier must have answered.'),
          onFailure: z
            .enum(['allow', 'refuse'])
            .default('refuse')
            .describe(
              'What happens to texts about which the classifier says nothing in time, and to those that are too large for it.',
            ),
          maxBytes: whole(1_024, 1_048_576)
            .default(65_536)
            .describe('Bytes of text that one request has at most; more falls under `onFailure`.'),
        })
        .optional(),
    })
    .prefault({}),
});

/** Validates the body of a new subscription, except what requires the registry (contract/events#subscriptions). */

import { identifierForm } from '@flowgate/base/identifier';
import { type Ok, ok, type Result } from '@flowgate/base/result';
import { mustBe, noControlCharacters, optional } from '@flowgate/body-schema/body-members';
import { type BodyRefusal, refusedFor } from '@flowgate/body-schema/body-problems';
import { bodySchema } from '@flowgate/body-schema/body-schema';
import { readBody } from '@flowgate/body-schema/checked-body';
import { maxUrlLength } from '@flowgate/http1/safe-fetch/url-vetting';
import { member } from '@flowgate/json/json-object';
import { z } from 'zod';
import { isWebhookSecret } from '../signing/webhook-signature.ts';

export type CheckedSubscription = {
  readonly eventType: string;
  readonly targetUrl: string;
  /** If it is absent, the gateway generates one. */
  readonly secret?: string | undefined;
};

/** Whether a URL may be called; a refusal names the rule. */
export type VetUrl = (text: string) => Result<URL, 'bad-request'>;

export const exampleTargetUrl = 'https://hooks.example/flowgate';

const secretLength = { min: 16, max: 256 };

const secret = () =>
  z
    .string(mustBe('a string'))
    .refine((text) => text.isWellFormed() && [...text].length >= secretLength.min && text.length <= secretLength.max, {
      error: `must have ${secretLength.min} to ${secretLength.max} characters`,
    })
    .refine((text) => !/\p{Cc}/u.test(text), { error: 'must not contain control characters' })
    .refine(isWebhookSecret, { error: 'must be base64 after whsec_' })
    .meta({ minLength: secretLength.min, maxLength: secretLength.max, pattern: noControlCharacters });

export const subscriptionInput = bodySchema(
  'SubscriptionInput',
  "A webhook for one type of events of the caller's own sessions.",
  () =>
    z.object({
      // The registry checks whether the type exists, and `vetUrl` whether the URL may be called.
      eventType: z.string(mustBe('a string')).meta({ pattern: identifierForm.source }),
      targetUrl: z.string(mustBe('a string')).meta({
        description: 'The URL of the endpoint: https, unless the operator allows other URLs.',
        format: 'uri',
        maxLength: maxUrlLength,
      }),
      secret: optional(secret()).describe(
        'The secret that signs the deliveries. If it is absent, the gateway generates a secret and returns it once.',
      ),
    }),
  { eventType: 'session_completed', targetUrl: exampleTargetUrl },
);

export function parseSubscriptionInput(body: unknown, vetUrl: VetUrl): Ok<CheckedSubscription> | BodyRefusal {
  const read = readBody(subscriptionInput.schema(), body);
  const targetUrl = member(body, 'targetUrl');
  const vetted = typeof targetUrl === 'string' ? vetUrl(targetUrl) : undefined;
  const unfit = vetted?.ok === false ? [{ message: `targetUrl: ${vetted.detail ?? 'it may not be called'}` }] : [];
  if (read.problems !== undefined) return refusedFor([...read.problems, ...unfit]);
  return unfit.length > 0 ? refusedFor(unfit) : ok(read.value);
}

/** Checks the body of a new subscription, except what only the registry knows (contract/events#subscriptions). */

import { z } from 'zod';
import { mustBe, optional } from '../../api/body-members.ts';
import { type BodyRefusal, refusedFor } from '../../api/body-problems.ts';
import { readBody } from '../../api/checked-body.ts';
import { isJsonObject, member } from '../../api/json-object.ts';
import { type Ok, ok, type Result } from '../../platform/result.ts';
import { isWebhookSecret } from '../../platform/webhook-signature.ts';

export type CheckedSubscription = {
  readonly eventType: string;
  readonly targetUrl: string;
  /** Left out: the gateway generates one. */
  readonly secret?: string | undefined;
};

/** Whether a URL may be called; a refusal names the rule. */
export type VetUrl = (text: string) => Result<URL, 'bad-request'>;

const secret = z
  .string(mustBe('a string'))
  .refine((text) => text.isWellFormed() && [...text].length >= 16 && text.length <= 256, {
    error: 'must have 16 to 256 characters',
  })
  .refine((text) => !/\p{Cc}/u.test(text), { error: 'must not contain control characters' })
  .refine(isWebhookSecret, { error: 'must be base64 after whsec_' });

const schema = z.object({
  eventType: z.string(mustBe('a string')),
  targetUrl: z.string(mustBe('a string')),
  secret: optional(secret),
});

export function parseSubscriptionInput(body: unknown, vetUrl: VetUrl): Ok<CheckedSubscription> | BodyRefusal {
  const read = readBody(schema, body);
  const targetUrl = isJsonObject(body) ? member(body, 'targetUrl') : undefined;
  const vetted = typeof targetUrl === 'string' ? vetUrl(targetUrl) : undefined;
  const unfit = vetted?.ok === false ? [{ message: `targetUrl: ${vetted.detail ?? 'it may not be called'}` }] : [];
  if (read.problems !== undefined) return refusedFor([...read.problems, ...unfit]);
  return unfit.length > 0 ? refusedFor(unfit) : ok(read.value);
}

/** The body of a mint request (contract/keys#mint; contract/conventions). */

import { isoTimeForm, parseIsoTime } from '@flowgate/base/iso-time';
import { type Ok, ok } from '@flowgate/base/result';
import { listOf, mustBe, optional } from '@flowgate/body-schema/body-members';
import { type BodyRefusal, refusedFor } from '@flowgate/body-schema/body-problems';
import { bodySchema } from '@flowgate/body-schema/body-schema';
import { readBody } from '@flowgate/body-schema/checked-body';
import { member } from '@flowgate/json/json-object';
import { z } from 'zod';
import { exampleKeyLabel, keyLabel } from './api-key-wire.ts';

export type MintRequest = { readonly label: string; readonly scopes: readonly string[]; readonly expiresAtMs?: number };

const isoTime = 'an ISO 8601 timestamp with a zone, such as 2030-01-31T12:00:00Z';

export const apiKeyInput = bodySchema(
  'ApiKeyInput',
  'The key to mint. Unknown members are ignored; an optional member that is `null` counts as omitted.',
  () =>
    z.object({
      label: keyLabel(),
      scopes: optional(
        listOf(z.enum(['rpc'], { error: 'may contain "rpc" only' }), {
          min: 1,
          max: 10,
          mustBe: 'an array of strings',
        }),
      ).describe('What the key may be used for. Default: `["rpc"]`, the only scope. Duplicates count once.'),
      expiresAt: optional(
        z
          .string(mustBe(isoTime))
          .refine((text) => parseIsoTime(text) !== undefined, { error: `must be ${isoTime}` })
          .meta({
            description:
              'When the key expires: ISO 8601 with a zone, in the future; seconds are optional. Default: never.',
            pattern: isoTimeForm.source,
          }),
      ),
    }),
  { label: exampleKeyLabel },
);

/** The refusal names every invalid member. */
export function parseMintRequest(body: unknown, nowMs: number): Ok<MintRequest> | BodyRefusal {
  const read = readBody(apiKeyInput.schema(), body);
  const expiresAt = member(body, 'expiresAt');
  const expiresAtMs = typeof expiresAt === 'string' ? parseIsoTime(expiresAt) : undefined;
  // Checked here, because the schema has no clock.
  const isPast = expiresAtMs !== undefined && expiresAtMs <= nowMs;
  const past = isPast ? [{ message: 'expiresAt must be in the future' }] : [];
  if (read.problems !== undefined) return refusedFor([...read.problems, ...past]);
  if (isPast) return refusedFor(past);
  return ok({ label: read.value.label, scopes: ['rpc'], ...(expiresAtMs === undefined ? {} : { expiresAtMs }) });
}

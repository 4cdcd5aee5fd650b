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
  'What to mint. Unknown members are ignored; `null` for an optional one means left out.',
  () =>
    z.object({
      label: keyLabel(),
      scopes: optional(
        listOf(z.enum(['rpc'], { error: 'may contain "rpc" only' }), {
          min: 1,
          max: 10,
          mustBe: 'an array of strings',
        }),
      ).describe('What the key may be used for. Left out: `["rpc"]`, the only scope there is. Duplicates are folded.'),
      expiresAt: optional(
        z
          .string(mustBe(isoTime))
          .refine((text) => parseIsoTime(text) !== undefined, { error: `must be ${isoTime}` })
          .meta({
            description:
              'ISO 8601 with a zone, in the future; seconds may be left out. Left out, the key never expires.',
            pattern: isoTimeForm.source,
          }),
      ),
    }),
  { label: exampleKeyLabel },
);

/** The refusal names every member that is wrong. */
export function parseMintRequest(body: unknown, nowMs: number): Ok<MintRequest> | BodyRefusal {
  const read = readBody(apiKeyInput.schema(), body);
  const expiresAt = member(body, 'expiresAt');
  const expiresAtMs = typeof expiresAt === 'string' ? parseIsoTime(expiresAt) : undefined;
  // The schema has no clock.
  const isPast = expiresAtMs !== undefined && expiresAtMs <= nowMs;
  const past = isPast ? [{ message: 'expiresAt must be in the future' }] : [];
  if (read.problems !== undefined) return refusedFor([...read.problems, ...past]);
  if (isPast) return refusedFor(past);
  return ok({ label: read.value.label, scopes: ['rpc'], ...(expiresAtMs === undefined ? {} : { expiresAtMs }) });
}

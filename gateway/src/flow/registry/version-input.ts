/** The body of a publication, checked (contract/flow-apps#registry). */

import { z } from 'zod';
import { mustBe, optional } from '../../api/body-members.ts';
import type { BodyRefusal } from '../../api/body-problems.ts';
import { checkedBody } from '../../api/checked-body.ts';
import { type Ok, ok } from '../../platform/result.ts';
import { withoutTrailing } from '../../platform/without-trailing.ts';
import { checkTogether, manifestOf, manifestShape, versionSchema } from './manifest-input.ts';
import type { Manifest } from './version.ts';

export type CheckedVersion = {
  readonly version: string;
  readonly manifest: Manifest;
  /** Absent: the gateway is to make one. */
  readonly signingSecret?: string;
};

const versionInput = z
  .object({
    version: versionSchema,
    baseUrl: z
      .string(mustBe('a string'))
      .refine((text) => baseUrlOf(text) !== undefined, {
        error:
          'must be an http:// or https:// URL of at most 2048 characters, without user, query, fragment or white space',
      })
      .transform((text) => baseUrlOf(text) ?? text),
    signingSecret: optional(
      z
        .string(mustBe('a string'))
        .refine(isSigningSecret, { error: 'must be whsec_ followed by base64 of 24 to 64 bytes' }),
    ),
    ...manifestShape,
  })
  .superRefine(checkTogether);

export function parseVersionInput(body: unknown): Ok<CheckedVersion> | BodyRefusal {
  const checked = checkedBody(versionInput, body);
  if (!checked.ok) return checked;
  const { version, baseUrl, signingSecret, ...members } = checked.value;
  return ok({
    version,
    manifest: manifestOf(baseUrl, members),
    ...(signingSecret === undefined ? {} : { signingSecret }),
  });
}

/** As the URL standard writes it, without a trailing slash; `undefined` when an app cannot live there. */
function baseUrlOf(text: string): string | undefined {
  // The parser drops tabs and line feeds, takes a backslash for a slash, and does not tell an empty query from none.
  if (text.length > 2_048 || !text.isWellFormed() || /[\s\p{Cc}\\?#]/u.test(text)) return undefined;
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\/[^/@]+(?:\/|$)/i.test(text)) return undefined;
  return url.username === '' && url.password === '' ? withoutTrailing(url.href, '/') : undefined;
}

/** What Standard Webhooks sign with: 24 to 64 bytes. */
export function isSigningSecret(text: string): boolean {
  const encoded = /^whsec_([A-Za-z0-9+/]{32,86}={0,2})$/.exec(text)?.[1];
  if (encoded === undefined) return false;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === encoded;
}

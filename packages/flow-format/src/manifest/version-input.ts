/** The body of a publication (contract/flow-apps#registry). */

import { type Ok, ok } from '@flowgate/base/result';
import { withoutTrailing } from '@flowgate/base/text';
import { mustBe, optional } from '@flowgate/body-schema/body-members';
import type { BodyRefusal } from '@flowgate/body-schema/body-problems';
import { bodySchema } from '@flowgate/body-schema/body-schema';
import { checkedBody } from '@flowgate/body-schema/checked-body';
import { z } from 'zod';
import type { Manifest } from './manifest.ts';
import { checkTogether, manifestInput, manifestOf } from './manifest-input.ts';
import { exampleVersion, version } from './registry-members.ts';

export type CheckedVersion = {
  readonly version: string;
  readonly manifest: Manifest;
  /** Absent: the gateway generates one. */
  readonly signingSecret?: string;
};

const maxUrlLength = 2_048;

const baseUrl = () =>
  z
    .string(mustBe('a string'))
    .refine((text) => baseUrlOf(text) !== undefined, {
      error: `must be an http:// or https:// URL of at most ${maxUrlLength} characters, without user, query, fragment or white space`,
    })
    .meta({
      description:
        'The address of the app, under which the gateway calls `/renderStep` and `/health`. No user, query or fragment.',
      format: 'uri',
      maxLength: maxUrlLength,
    })
    .transform((text) => baseUrlOf(text) ?? text);

const badSecret = { error: 'must be whsec_ followed by base64 of 24 to 64 bytes' };

const signingSecretForm = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;

export const signingSecret = () =>
  z.string(mustBe('a string')).regex(signingSecretForm, badSecret).refine(isSigningSecret, badSecret);

export const exampleManifest = {
  version: exampleVersion,
  baseUrl: 'https://pay.acme.example/flow',
  startSteps: ['choose'],
  steps: [{ stepId: 'choose' }, { stepId: 'done' }],
  queries: [{ queryId: 'lastInvoice', path: '/invoices/0' }],
  events: [{ type: 'invoice_paid' }],
  linkDomains: ['docs.acme.example'],
};

export const versionInput = bodySchema(
  'VersionInput',
  'A version to publish. The gateway checks its health before it stores the version.',
  () =>
    z
      .object({
        version: version(),
        baseUrl: baseUrl(),
        signingSecret: optional(signingSecret()).describe(
          'The secret that signs requests to the app: `whsec_` and base64 of 24 to 64 bytes. If it is absent, the gateway generates a secret and returns it once.',
        ),
        ...manifestInput(),
      })
      .superRefine(checkTogether),
  exampleManifest,
);

export function parseVersionInput(body: unknown): Ok<CheckedVersion> | BodyRefusal {
  const checked = checkedBody(versionInput.schema(), body);
  if (!checked.ok) return checked;
  const { version, baseUrl, signingSecret, ...members } = checked.value;
  return ok({
    version,
    manifest: manifestOf(baseUrl, members),
    ...(signingSecret === undefined ? {} : { signingSecret }),
  });
}

/** The normalized URL without a trailing slash; `undefined` if it cannot be the address of an app. */
function baseUrlOf(text: string): string | undefined {
  // The URL parser drops tabs and line feeds, reads a backslash as a slash, and hides an empty query.
  if (text.length > maxUrlLength || !text.isWellFormed() || /[\s\p{Cc}\\?#]/u.test(text)) return undefined;
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\/[^/@]+(?:\/|$)/i.test(text)) return undefined;
  return url.username === '' && url.password === '' ? withoutTrailing(url.href, '/') : undefined;
}

/** The form of secrets in Standard Webhooks: 24 to 64 bytes. */
export function isSigningSecret(text: string): boolean {
  if (!signingSecretForm.test(text)) return false;
  const encoded = text.slice('whsec_'.length);
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === encoded;
}

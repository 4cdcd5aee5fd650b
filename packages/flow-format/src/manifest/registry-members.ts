/** Members that name apps, versions, the declarations of versions, and sessions. */

import { domainForm, identifierForm } from '@flowgate/base/identifier';
import { typeIdForm } from '@flowgate/base/ids';
import { mustBe } from '@flowgate/body-schema/body-members';
import { z } from 'zod';
import { appIdForm } from './app-id.ts';
import { isSemanticVersion, maxVersionLength } from './semantic-version.ts';

export const exampleAppId = 'acme/pay';
export const exampleVersion = '1.2.0';
export const exampleSessionId = 'ses_01KAJ0Z6V2M8T4Q9R3WX5Y7ABE';
export const exampleTime = '2026-11-21T10:00:00.000Z';

export const appId = () =>
  z
    .string(mustBe('a string'))
    .regex(appIdForm, {
      error:
        'must be publisher/slug, each 1 to 64 lower-case letters, digits, dots or dashes that begins and ends with a letter or digit',
    })
    .meta({ description: '`publisher/slug`.', examples: [exampleAppId] });

export const version = () =>
  z
    .string(mustBe('a string'))
    .refine(isSemanticVersion, {
      error: `must be a semantic version (semver.org) of at most ${maxVersionLength} characters, such as 1.0.0`,
    })
    .meta({ description: 'Strict semver.', maxLength: maxVersionLength, examples: [exampleVersion] });

/** Of a step, a query or an event type. */
export const manifestName = () =>
  z.string(mustBe('a string')).regex(identifierForm, {
    error: 'must be 1 to 64 letters, digits, dots, dashes or underscores, a letter or digit first',
  });

/** A domain name of the DNS: in lower-case letters, with at least one dot. */
export const linkDomain = () =>
  z.string(mustBe('a string')).regex(domainForm, {
    error: 'must be a domain name of at most 253 small letters, digits, dots and dashes, such as docs.acme.example',
  });

export const sessionStatuses = ['active', 'completed', 'cancelled', 'expired', 'failed'] as const;
export type SessionStatus = (typeof sessionStatuses)[number];

export const sessionId = () =>
  z
    .string()
    .regex(typeIdForm('ses'))
    .meta({ description: 'The id of the session.', examples: [exampleSessionId] });

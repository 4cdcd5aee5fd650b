/** The configuration of the console. */

import { isOriginPattern } from '@flowgate/http1/origin-pattern';
import { z } from 'zod';
import { flag } from './value-forms.ts';

export const consoleKeys = z
  .strictObject({
    enabled: flag.default(true).describe('Serve the console at `/console`, and redirect browsers there from `/`.'),
    clientId: z
      .string()
      .min(1)
      .default('flowgate-console')
      .describe(
        "Public client of the console at the issuer (authorization code with PKCE). Its redirect URI is the gateway's address with `/console/signed-in`.",
      ),
    scope: z
      .string()
      .regex(/^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/, 'must be scopes separated by one space')
      .default('openid')
      .describe(
        'Scopes that the console requests; `openid offline_access` for issuers that return refresh tokens for it.',
      ),
    connectOrigins: z
      .array(
        z
          .string()
          .refine(
            (text) => isOriginPattern(text) && !text.includes('*'),
            'must be an origin, such as https://token.example.com',
          ),
      )
      .max(20)
      .default([])
      .describe("Further origins of the issuer's endpoints to which the console page may connect."),
  })
  .prefault({});

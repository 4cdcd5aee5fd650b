/** The configuration of the console. */

import { isOriginPattern } from '@flowgate/http1/origin-pattern';
import { z } from 'zod';
import { flag } from './value-forms.ts';

export const consoleKeys = z
  .strictObject({
    enabled: flag.default(true).describe('Serve the console at `/console`, and send browsers there from `/`.'),
    clientId: z
      .string()
      .min(1)
      .default('flowgate-console')
      .describe(
        "The public client (authorization code with PKCE) that the console is at the issuer; its redirect address is the gateway's address with `/console/signed-in`.",
      ),
    scope: z
      .string()
      .regex(/^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/, 'must be scopes with one blank between them')
      .default('openid')
      .describe('What it asks for; `openid offline_access` where the issuer gives refresh tokens for that.'),
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
      .describe("Origins of the issuer's endpoints that are not the issuer's own: the page may connect to them."),
  })
  .prefault({});

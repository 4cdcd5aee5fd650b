/** The bodies of the console's routes. */

import { bodySchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';

export const consoleConfig = bodySchema(
  'ConsoleConfig',
  'What the console needs to sign a user in.',
  () =>
    z.object({
      issuer: z.string().describe('The issuer: the identifier of the OpenID provider.'),
      clientId: z.string().describe('The client id of the console at the provider.'),
      scope: z.string().describe('The scopes that the console requests.'),
      publicUrl: z.string().meta({ format: 'uri' }).describe('The address at which callers reach the gateway.'),
      version: z.string(),
    }),
  {
    issuer: 'https://login.example.com',
    clientId: 'flowgate-console',
    scope: 'openid',
    publicUrl: 'https://gateway.example',
    version: '1.0.0',
  },
);

export const consolePath = () => z.string().min(1);

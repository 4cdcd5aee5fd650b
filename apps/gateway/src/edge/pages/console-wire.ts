/** The bodies of the console's routes. */

import { bodySchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';

export const consoleConfig = bodySchema(
  'ConsoleConfig',
  'What the console needs to sign a user in.',
  () =>
    z.object({
      issuer: z.string().describe('The OpenID provider, as it names itself.'),
      clientId: z.string().describe('The client that the console is there.'),
      scope: z.string().describe('What it asks for.'),
      publicUrl: z.string().meta({ format: 'uri' }).describe('The address that callers use.'),
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

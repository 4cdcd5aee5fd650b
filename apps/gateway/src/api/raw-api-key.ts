/** A raw API key in bodies and paths. Only the response that creates the key contains it (contract/keys#mint). */

import { z } from 'zod';
import { apiKeyForm } from './credential.ts';

export const exampleKeyId = '7Kq2mB0xWc9LpT4s';
export const exampleKey = `fk_${exampleKeyId}.${'EXAMPLEexample'.repeat(4).slice(0, 49)}`;

export const rawApiKey = () =>
  z
    .string()
    .regex(apiKeyForm)
    .meta({
      description: 'The raw key. Only the response that creates the key contains it; it cannot be retrieved later.',
      examples: [exampleKey],
    });

/** The path parameter that contains a raw key. */
export const rawApiKeyParameter = {
  description: 'The API key. It takes precedence over headers. The URL is a credential: prefer the header on servers.',
  schema: rawApiKey,
  example: '$FLOWGATE_API_KEY',
};

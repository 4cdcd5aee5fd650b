/** The composition root: the only file that names an adapter and stacks the wrappers. A list, not logic. */
import { randomBytes } from 'node:crypto';
import { createPeppers } from './access/api-key-digest.ts';
import { createAuthenticate } from './access/authenticate.ts';
import { KeyCache } from './access/key-cache.ts';
import { createLastUsed } from './access/last-used.ts';
import { createRateLimiter } from './access/rate-limit.ts';
import { accessRoutes } from './access/routes.ts';
import { createTokenVerifier } from './access/tokens.ts';
import { createKeyVerifier } from './access/verify-key.ts';

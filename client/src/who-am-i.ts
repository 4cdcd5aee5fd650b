/** The user behind the credential, and what is in force for them (contract/tokens#who-am-i). */

import { askFor } from './ask-for.ts';
import { hasMembers } from './has-members.ts';
import type { CallOptions, Send } from './transport.ts';
import type { WhoAmI } from './wire.ts';

export function createWhoAmI(send: Send): (options?: CallOptions) => Promise<WhoAmI> {
  return async (options = {}) =>
    askFor(send, isWhoAmI, { method: 'GET', path: '/users/me', repeatable: true, options });
}

function isWhoAmI(value: unknown): value is WhoAmI {
  const who = { userId: 'string', credential: 'string', roles: 'texts', isAdmin: 'boolean' } as const;
  const limits = { requestsPerMinute: 'number', sessionRequestsPerMinute: 'number' } as const;
  return hasMembers(value, { ...who, ...limits, maxActiveKeys: 'number', maxNodes: 'number' }, { keyId: 'string' });
}

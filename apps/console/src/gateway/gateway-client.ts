/** The TypeScript client with this tab's session, used for all requests of the console. */
import { createFlowgate, type Fetch, type Flowgate } from '@flowgate/client';
import type { Session } from '../session/session.ts';
import type { RateLimitStore } from './rate-limit.ts';

export function createGatewayClient(session: Session, limits: RateLimitStore): Flowgate {
  return createFlowgate({
    url: location.origin,
    token: session.token,
    fetch: fetchWith(session, limits),
    // The user may have to sign in again during the request.
    timeoutMs: Number.POSITIVE_INFINITY,
  });
}

const answerTimeoutMs = 60_000;

/** A request refused with 401 had no effect, so it is sent once more with a new token. A second 401 is returned to the caller. */
export function fetchWith(session: Pick<Session, 'refused' | 'token'>, limits: Pick<RateLimitStore, 'note'>): Fetch {
  return async (url, init) => {
    for (let isRepeated = false; ; isRepeated = true) {
      const headers = new Headers(init.headers);
      const response = await fetch(url, { ...init, signal: boundedSignal(headers, init.signal ?? undefined) });
      limits.note(response.headers);
      const token = headers.get('authorization')?.slice('Bearer '.length);
      if (response.status !== 401 || token === undefined || isRepeated) return response;
      session.refused(token);
      headers.set('authorization', `Bearer ${await session.token()}`);
      init = { ...init, headers };
    }
  };
}

/** Event streams have no time limit. */
function boundedSignal(headers: Headers, signal: AbortSignal | undefined): AbortSignal | null {
  if (headers.get('accept') === 'text/event-stream') return signal ?? null;
  const bound = AbortSignal.timeout(answerTimeoutMs);
  return signal === undefined ? bound : AbortSignal.any([signal, bound]);
}

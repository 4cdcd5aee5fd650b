/** The TypeScript client with this tab's session: everything that the console does goes through it. */
import { createFlowgate, type Fetch, type Flowgate } from '@flowgate/client';
import type { Session } from '../session/session.ts';
import type { RateLimitStore } from './rate-limit.ts';

export function createGatewayClient(session: Session, limits: RateLimitStore): Flowgate {
  return createFlowgate({
    url: location.origin,
    token: session.token,
    fetch: fetchWith(session, limits),
    // The person may have to sign in first.
    timeoutMs: Number.POSITIVE_INFINITY,
  });
}

const answerTimeoutMs = 60_000;

/** A 401 has done nothing: the same request goes again once, when there is another token. A gateway that takes none of the issuer's tokens says so. */
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

/** Streams of events go on for as long as they are looked at. */
function boundedSignal(headers: Headers, signal: AbortSignal | undefined): AbortSignal | null {
  if (headers.get('accept') === 'text/event-stream') return signal ?? null;
  const bound = AbortSignal.timeout(answerTimeoutMs);
  return signal === undefined ? bound : AbortSignal.any([signal, bound]);
}

/** The signed-in user: authorization code with PKCE at the issuer; tokens are stored in this tab (contract/console#sign-in). */
import { User, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import type { ConsoleConfig } from './console-config.ts';

export type Person = { readonly id: string; readonly name: string };

export type SessionState =
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'signed-in'; readonly person: Person }
  /** The token is no longer valid and could not be renewed. Callers that wait for {@link Session.token} continue after the same user has signed in again. */
  | { readonly kind: 'expired'; readonly person: Person };

export type Session = {
  readonly state: () => SessionState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Redirects to the issuer, which returns to `returnTo`, a path of the console. */
  readonly signIn: (returnTo: string) => Promise<void>;
  /** Completes a redirect from the issuer. Returns the `returnTo` of the sign-in; undefined in the separate window of a renewed sign-in. */
  readonly finishSignIn: () => Promise<string | undefined>;
  /** Resolves to a valid access token; waits while the user has to sign in again. */
  readonly token: () => Promise<string>;
  /** Marks a token that the gateway refused; the next call of `token` waits for a new one. */
  readonly refused: (token: string) => void;
  /** Opens a separate window for signing in again, so that the page remains as it is. */
  readonly signInAgain: () => void;
  readonly signOut: () => Promise<void>;
  /** Registers work that runs before sign-out, while the token is still valid. Failures and slow work do not delay the sign-out beyond its time limit. */
  readonly beforeSignOut: (work: (signal: AbortSignal) => Promise<void>) => () => void;
};

const callbackPath = '/console/signed-in';
const againPath = '/console/sign-in-again';
const signedOutKey = 'flowgate.signed-out';
/** A token with less remaining validity is renewed. */
const minSeconds = 15;
/** Time limit for work before sign-out. */
const leavingMs = 3_000;

type SignInState = { readonly returnTo: string } | { readonly isWindow: true };
type Message = { readonly kind: 'signed-in'; readonly user: string };

/** Restores the session of this tab, if there is one. */
export async function openSession(config: ConsoleConfig): Promise<Session> {
  const store = new WebStorageStateStore({ store: sessionStorage });
  const manager = new UserManager({
    authority: config.issuer,
    client_id: config.clientId,
    redirect_uri: location.origin + callbackPath,
    scope: config.scope,
    userStore: store,
    stateStore: store,
    loadUserInfo: false,
    automaticSilentRenew: false,
  });
  const channel = new BroadcastChannel('flowgate-console');
  const listeners = new Set<() => void>();
  const leavings = new Set<(signal: AbortSignal) => Promise<void>>();
  let user = (await manager.getUser()) ?? undefined;
  let refusedToken: string | undefined;
  let renewal: Promise<void> | undefined;
  /** True after this tab opened the window for signing in again. */
  let hasAsked = false;
  /** True from sign-out or a change of user on: requests in flight on this page must not be sent or stored for the next user. */
  let isLeaving = false;
  let state: SessionState = user === undefined ? { kind: 'signed-out' } : { kind: 'signed-in', person: personOf(user) };

  function become(next: SessionState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  async function take(fresh: User): Promise<void> {
    const before = state.kind === 'signed-out' ? undefined : state.person.id;
    const person = personOf(fresh);
    if (before !== undefined && before !== person.id) {
      // Another user signed in: remove all data of the previous user from the tab.
      isLeaving = true;
      user = undefined;
      sessionStorage.clear();
      await manager.storeUser(fresh);
      location.assign('/console');
      return;
    }
    await manager.storeUser(fresh);
    user = fresh;
    refusedToken = undefined;
    hasAsked = false;
    become({ kind: 'signed-in', person });
  }

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind !== 'signed-in' || state.kind !== 'expired' || isLeaving) return;
    const fresh = User.fromStorageString(data.user);
    // All tabs receive this message. A tab of another user ignores it, unless that tab requested the sign-in.
    if (hasAsked || personOf(fresh).id === state.person.id) void take(fresh);
  };

  // After a sign-out, the back button could restore the old page from the back/forward cache.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && isLeaving) location.reload();
  });

  const isUsable = (candidate: User | undefined): candidate is User =>
    candidate !== undefined &&
    candidate.access_token !== refusedToken &&
    (candidate.expires_in === undefined || candidate.expires_in > minSeconds);

  async function renew(): Promise<void> {
    if (user?.refresh_token !== undefined) {
      const fresh = await manager.signinSilent().catch(() => null);
      // The manager has already stored the new tokens. Remove them if the user signed out in the meantime.
      if (isLeaving) return manager.removeUser();
      if (fresh !== null) return take(fresh);
    }
    if (state.kind === 'signed-in') become({ kind: 'expired', person: state.person });
  }

  function changed(): Promise<void> {
    return new Promise((resolve) => {
      const listener = () => {
        listeners.delete(listener);
        resolve();
      };
      listeners.add(listener);
    });
  }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async signIn(returnTo) {
      const wanted: SignInState = { returnTo };
      await manager.signinRedirect({ state: wanted, ...promptFor(config.scope) });
    },
    async finishSignIn() {
      if (location.pathname === againPath) {
        const wanted: SignInState = { isWindow: true };
        await manager.signinRedirect({ state: wanted, ...promptFor(config.scope) });
        return undefined;
      }
      const fresh = await manager.signinRedirectCallback();
      sessionStorage.removeItem(signedOutKey);
      const wanted = fresh.state as SignInState;
      if ('isWindow' in wanted) {
        const message: Message = { kind: 'signed-in', user: fresh.toStorageString() };
        channel.postMessage(message);
        // This window started with a copy of the tab's storage. It may remain open and be used by another user next.
        sessionStorage.clear();
        window.close();
        return undefined;
      }
      await take(fresh);
      return wanted.returnTo;
    },
    async token() {
      for (;;) {
        if (isLeaving) return new Promise(() => {});
        if (state.kind === 'signed-out') throw new Error('You are not signed in.');
        if (isUsable(user)) return user.access_token;
        if (state.kind === 'signed-in') {
          renewal ??= renew().finally(() => {
            renewal = undefined;
          });
          await renewal;
        } else await changed();
      }
    },
    refused(token) {
      refusedToken = token;
    },
    signInAgain() {
      hasAsked = true;
      window.open(againPath, 'flowgate-sign-in', 'popup,width=480,height=640');
    },
    beforeSignOut(work) {
      leavings.add(work);
      return () => leavings.delete(work);
    },
    async signOut() {
      if (isUsable(user)) {
        const signal = AbortSignal.timeout(leavingMs);
        await Promise.allSettled([...leavings].map((work) => work(signal)));
      }
      const leaving = user;
      isLeaving = true;
      user = undefined;
      sessionStorage.clear();
      sessionStorage.setItem(signedOutKey, '1');
      // Do not wait for an issuer that does not respond.
      const endsSession = await Promise.race([
        manager.metadataService.getEndSessionEndpoint().catch(() => undefined),
        new Promise<undefined>((resolve) => setTimeout(resolve, leavingMs)),
      ]);
      if (leaving?.id_token !== undefined && endsSession !== undefined)
        await manager
          .signoutRedirect({ id_token_hint: leaving.id_token, post_logout_redirect_uri: `${location.origin}/console` })
          .catch(() => location.assign('/console'));
      else location.assign('/console');
    },
  };
}

/** After a sign-out the user may want to switch accounts. Refresh tokens require consent (OpenID Connect Core, 11). */
function promptFor(scope: string): { readonly prompt?: string } {
  const login = sessionStorage.getItem(signedOutKey) === null ? [] : ['login'];
  const consent = scope.split(' ').includes('offline_access') ? ['consent'] : [];
  const prompts = [...login, ...consent];
  return prompts.length === 0 ? {} : { prompt: prompts.join(' ') };
}

/** The name is for display; the gateway identifies users by their ID. */
function personOf({ profile }: User): Person {
  return { id: profile.sub, name: profile.name ?? profile.preferred_username ?? profile.email ?? profile.sub };
}

/** Who is signed in: authorization code with PKCE at the issuer; tokens stay in this tab (contract/console#sign-in). */
import { User, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import type { ConsoleConfig } from './console-config.ts';

export type Person = { readonly id: string; readonly name: string };

export type SessionState =
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'signed-in'; readonly person: Person }
  /** The token is no longer valid and could not be renewed. What waits for {@link Session.token} goes on once the same person has signed in again. */
  | { readonly kind: 'expired'; readonly person: Person };

export type Session = {
  readonly state: () => SessionState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Leaves the page, and comes back to `returnTo`, a path of the console. */
  readonly signIn: (returnTo: string) => Promise<void>;
  /** At the address that the issuer sends people back to. Answers where they wanted to be; undefined: this is the window that was opened to sign in again. */
  readonly finishSignIn: () => Promise<string | undefined>;
  /** A valid access token; waits while the person has to sign in again. */
  readonly token: () => Promise<string>;
  /** The gateway did not take this token: the next call of `token` waits for another. */
  readonly refused: (token: string) => void;
  /** Signs in again in a window of its own, so that nothing on this page is lost. */
  readonly signInAgain: () => void;
  readonly signOut: () => Promise<void>;
  /** Done first at a sign-out, while the token still counts; a failure, or work that takes too long, holds nothing up. */
  readonly beforeSignOut: (work: (signal: AbortSignal) => Promise<void>) => () => void;
};

const callbackPath = '/console/signed-in';
const againPath = '/console/sign-in-again';
const signedOutKey = 'flowgate.signed-out';
/** Renewed when it is valid for less than this. */
const leastSeconds = 15;
/** For what is done at the sign-out. */
const leavingMs = 3_000;

type SignInState = { readonly returnTo: string } | { readonly isWindow: true };
type Message = { readonly kind: 'signed-in'; readonly user: string };

/** Looks whether this tab is signed in already. */
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
  /** This tab has opened the window to sign in again. */
  let hasAsked = false;
  /** Nothing that is still under way on this page may be sent, or be kept, as whoever comes next. */
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
      // Somebody else: nothing of the one before may stay in the tab.
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
    // All tabs hear of it: one of somebody else goes on waiting, unless it was here that somebody was asked for.
    if (hasAsked || personOf(fresh).id === state.person.id) void take(fresh);
  };

  // Whoever goes back after a sign-out would find the page as it was left, alive.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && isLeaving) location.reload();
  });

  const isUsable = (candidate: User | undefined): candidate is User =>
    candidate !== undefined &&
    candidate.access_token !== refusedToken &&
    (candidate.expires_in === undefined || candidate.expires_in > leastSeconds);

  async function renew(): Promise<void> {
    if (user?.refresh_token !== undefined) {
      const fresh = await manager.signinSilent().catch(() => null);
      // It has kept what it got: whoever has signed out meanwhile would be signed in again.
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
        // This window began with a copy of what the tab has kept; it may stay open, and be somebody else's next.
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
      // An issuer that does not answer keeps nobody on the page.
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

/** Whoever has signed out may want to be somebody else. Refresh tokens are given to those who consent (OpenID Connect Core, 11). */
function promptFor(scope: string): { readonly prompt?: string } {
  const login = sessionStorage.getItem(signedOutKey) === null ? [] : ['login'];
  const consent = scope.split(' ').includes('offline_access') ? ['consent'] : [];
  const prompts = [...login, ...consent];
  return prompts.length === 0 ? {} : { prompt: prompts.join(' ') };
}

/** The name is for the eye; the gateway knows people by their id. */
function personOf({ profile }: User): Person {
  return { id: profile.sub, name: profile.name ?? profile.preferred_username ?? profile.email ?? profile.sub };
}

/** The dependencies of the functions on sessions. */

import type { Clock } from '@flowgate/base/clock';
import type { Firewall } from '../../api/firewall.ts';
import type { PaymentGate } from '../payments/payment-gate.ts';
import type { RegistryStore } from '../registry/registry-store.ts';
import type { KnownSecrets } from '../secrets/known-secrets.ts';
import type { MatchPatterns } from '../validation/match-patterns.ts';
import type { RenderDeps } from './render.ts';
import type { SessionLeaseDeps } from './session-lease.ts';
import type { SessionStore, StorageBounds } from './session-store.ts';
import type { StartStore } from './start-store.ts';

export type SessionDeps = RenderDeps &
  SessionLeaseDeps & {
    readonly store: SessionStore;
    readonly starts: StartStore;
    readonly secrets: KnownSecrets;
    readonly registry: Pick<RegistryStore, 'findApp' | 'findVersion' | 'activeVersions' | 'listVersions'>;
    readonly firewall: Firewall;
    readonly matchPatterns: MatchPatterns;
    readonly payments: PaymentGate;
    readonly clock: Clock;
    /** The wall-clock time for `createdAt`. It never repeats, so that sessions started in the same millisecond are listed in the order of their starts. */
    readonly creationTime: () => number;
    readonly newSessionId: () => string;
    readonly newEventId: () => string;
    readonly sessionTtlMs: number;
    /** Maximum for one user, over all apps. */
    readonly maxActiveSessions: number;
    readonly bounds: StorageBounds;
  };

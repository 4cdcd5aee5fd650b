/** The storage interface of linked wallets and the challenges before them. Every engine passes `wallets/wallet-store.contract.ts`. */

import type { Position } from '@flowgate/base/page';
import type { AuditNote } from '../audit/audit-note.ts';

/** `account`: a key signed. `contract`: a contract on the wallet's chain confirmed the signature (EIP-1271). */
export type WalletKind = 'account' | 'contract';

export type WalletRecord = {
  readonly walletId: string;
  readonly userId: string;
  /** `0x` and 40 hexadecimal digits in lower case. */
  readonly address: string;
  readonly kind: WalletKind;
  readonly label?: string;
  /** The chain that the signed message named. */
  readonly chainId: number;
  /** When it was linked, in milliseconds since the Unix epoch. */
  readonly createdAtMs: number;
};

export type ChallengeRecord = {
  readonly nonce: string;
  readonly userId: string;
  /** In lower case. */
  readonly address: string;
  readonly chainId: number;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** When a wallet was linked with this challenge. The challenge is then no longer valid. */
  readonly spentAtMs?: number;
};

export type WalletPage = {
  readonly records: readonly WalletRecord[];
  /** Present when more records follow. */
  readonly next?: Position;
};

export type LinkTerms = {
  readonly nonce: string;
  /** The most wallets that the user may have after the link. */
  readonly limit: number;
  readonly nowMs: number;
  readonly note: AuditNote;
};

/** `spent`: the challenge was used meanwhile, or has expired. */
export type LinkOutcome = 'linked' | 'already-linked' | 'full' | 'spent';

/** Every method throws `Unavailable` when the storage does not answer in time or cannot serve. */
export type WalletStore = {
  /** Stores the challenge. The `maxPerUser` newest challenges of the user are retained. Each call also deletes some expired challenges of any user, so the table stays small. */
  insertChallenge(challenge: ChallengeRecord, maxPerUser: number): Promise<void>;

  /** `undefined` for an unknown nonce and for the nonce of another user. */
  findChallenge(userId: string, nonce: string): Promise<ChallengeRecord | undefined>;

  /**
   * Links the wallet and spends the nonce, both or neither, in one atomic operation across all processes. The challenge must belong to this user and address,
   * and be neither expired nor spent. The user must not have the wallet yet, and must have fewer than `limit` wallets. Otherwise nothing changes. After
   * `Unavailable` neither was done, unless the storage or the process died between the commit and its compensation.
   */
  link(wallet: WalletRecord, terms: LinkTerms): Promise<LinkOutcome>;

  find(userId: string, address: string): Promise<WalletRecord | undefined>;

  /** The user's wallets, newest first (by `createdAtMs`, ties by `walletId`): at most `limit` of them, after the position `after`. */
  list(userId: string, options: { readonly limit: number; readonly after?: Position }): Promise<WalletPage>;

  /** True if the user had the wallet. After `Unavailable` it may be unlinked or not; repeating is safe. */
  unlink(userId: string, address: string, note: AuditNote): Promise<boolean>;
};

/** Gives a user the message that a wallet has to sign to be linked (contract/wallets#challenge). */

import type { Clock } from '@flowgate/base/clock';
import { isoTime } from '@flowgate/base/iso-time';
import type { RandomBytes } from '@flowgate/base/random';
import { type Ok, ok } from '@flowgate/base/result';
import { type BodyRefusal, refusedForOne } from '@flowgate/body-schema/body-problems';
import type { BodyOf } from '@flowgate/body-schema/body-schema';
import { checkedBody } from '@flowgate/body-schema/checked-body';
import type { SignInSite } from './sign-in-site.ts';
import type { ChallengeRecord, WalletStore } from './wallet-store.ts';
import { challengeInput, type walletChallenge } from './wallet-wire.ts';

export type ChallengeParts = {
  readonly store: Pick<WalletStore, 'insertChallenge'>;
  readonly site: SignInSite;
  /** The chains of this gateway's networks. */
  readonly hasChain: (chainId: number) => boolean;
  /** Of the default network, if there is one. */
  readonly defaultChainId: number | undefined;
  readonly clock: Pick<Clock, 'now'>;
  readonly randomBytes: RandomBytes;
};

const lifeMs = 600_000;
/** Challenges of one user that are worth something at once; the oldest give way. */
const mostChallenges = 20;

/** Throws `Unavailable` when the store is unavailable. */
export async function challengeWallet(
  parts: ChallengeParts,
  userId: string,
  body: unknown,
): Promise<Ok<BodyOf<typeof walletChallenge>> | BodyRefusal> {
  const input = checkedBody(challengeInput.schema(), body);
  if (!input.ok) return input;
  const { address, chainId = parts.defaultChainId } = input.value;
  if (chainId === undefined) return refusedForOne('chainId is required: this gateway has no default network');
  if (!parts.hasChain(chainId)) return refusedForOne('chainId is not that of a network here');
  const createdAtMs = parts.clock.now();
  const challenge: ChallengeRecord = {
    nonce: parts.randomBytes(16).toString('hex'),
    userId,
    address: address.toLowerCase(),
    chainId,
    createdAtMs,
    expiresAtMs: createdAtMs + lifeMs,
  };
  const { signInMessage } = await import('./sign-in-message.ts');
  const message = signInMessage(challenge, parts.site);
  await parts.store.insertChallenge(challenge, mostChallenges);
  return ok({ message, nonce: challenge.nonce, expiresAt: isoTime(challenge.expiresAtMs) });
}

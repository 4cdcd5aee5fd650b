/** Links a wallet to a user who proves it by the message of a challenge and the wallet's signature (contract/wallets#link). */

import type { Clock } from '@flowgate/base/clock';
import type { NewTypeId } from '@flowgate/base/ids';
import { ok, type Result, refused } from '@flowgate/base/result';
import { type BodyProblem, type BodyRefusal, refusedFor, refusedForOne } from '@flowgate/body-schema/body-problems';
import type { BodyOf } from '@flowgate/body-schema/body-schema';
import { checkedBody } from '@flowgate/body-schema/checked-body';
import { checksumAddress } from '@flowgate/chain/evm-address';
import type { Caller } from '../api/caller.ts';
import type { Actor } from '../audit/audit-note.ts';
import type { AskContract } from './contract-question.ts';
import type { SignInSite } from './sign-in-site.ts';
import type { ChallengeRecord, LinkOutcome, WalletRecord, WalletStore } from './wallet-store.ts';
import { type wallet, walletInput, walletView } from './wallet-wire.ts';

/** The most wallets that one user may have linked (contract/wallets#link). */
export const maxWallets = 20;

export type LinkDeps = {
  readonly store: Pick<WalletStore, 'findChallenge' | 'link'>;
  readonly site: SignInSite;
  readonly ask: AskContract;
  readonly clock: Pick<Clock, 'now'>;
  /** The wall time for `linkedAt`; never returns the same value twice. */
  readonly creationTime: () => number;
  readonly newTypeId: NewTypeId;
};

type Linked = Result<BodyOf<typeof wallet>, 'conflict' | 'bad-gateway' | 'denied' | 'unavailable'> | BodyRefusal;

/** The user who links the wallet. */
export type Linker = { readonly caller: Caller; readonly actor: Actor };

/** Throws `Unavailable` when the store is unavailable. The wallet is then not linked, and the challenge is not spent. */
export async function linkWallet(deps: LinkDeps, { caller, actor }: Linker, body: unknown): Promise<Linked> {
  const input = checkedBody(walletInput.schema(), body);
  if (!input.ok) return input;
  const { message, signature, label } = input.value;
  const challenge = await challengeOf(deps, caller.userId, message);
  if ('ok' in challenge) return challenge;
  const { userId, address, chainId, nonce } = challenge;
  const { checkSignature } = await import('./wallet-signature.ts');
  const verdict = await checkSignature({ message, signature, address, chainId, caller }, deps.ask);
  if (verdict.kind === 'wrong')
    return refusedForOne(
      `signature is not one of ${checksumAddress(address)} for this message; a contract wallet was asked on chain ${chainId}`,
    );
  if (verdict.kind === 'denied') return refused('denied');
  if (verdict.kind === 'policies-unknown') return refused('unavailable', 'The policies cannot be read right now.');
  if (verdict.kind === 'unavailable')
    return refused('bad-gateway', `No node of chain ${chainId} could be asked whether the signature is the wallet's.`);
  const record: WalletRecord = {
    walletId: deps.newTypeId('wal'),
    userId,
    address,
    kind: verdict.kind,
    ...(label === undefined ? {} : { label }),
    chainId,
    createdAtMs: deps.creationTime(),
  };
  const note = {
    actor,
    action: 'wallet.linked',
    target: checksumAddress(address),
    details: { kind: verdict.kind, chainId },
  } as const;
  const outcome = await deps.store.link(record, { nonce, limit: maxWallets, nowMs: deps.clock.now(), note });
  return outcome === 'linked' ? ok(walletView(record)) : notLinked(outcome);
}

function notLinked(outcome: Exclude<LinkOutcome, 'linked'>): Linked {
  if (outcome === 'spent') return refusedForOne(usedNonce);
  if (outcome === 'already-linked') return refused('conflict', 'You have linked this wallet already.');
  return refused('conflict', `A user can have at most ${maxWallets} wallets; unlink one first.`);
}

const usedNonce = 'nonce of the message was used already: ask for a new challenge';

/** The challenge with exactly this message, or what is wrong with the message. */
async function challengeOf(deps: LinkDeps, userId: string, message: string): Promise<ChallengeRecord | BodyRefusal> {
  const { readMessage, signInMessage } = await import('./sign-in-message.ts');
  const read = readMessage(message, deps.site);
  if (read.address === undefined || read.nonce === undefined)
    return refusedForOne('message does not have the form of a challenge (EIP-4361)');
  const challenge = await deps.store.findChallenge(userId, read.nonce);
  const problems: string[] = [];
  if (!read.isOfDomain) problems.push(`message names another domain than ${deps.site.domain}`);
  if (read.uri !== deps.site.uri) problems.push(`message names another URI than ${deps.site.uri}`);
  if (challenge === undefined) problems.push('nonce of the message is unknown or expired: request a new challenge');
  else {
    if (read.address.toLowerCase() !== challenge.address)
      problems.push("message names another address than the challenge's");
    if (read.chainId !== challenge.chainId) problems.push("message names another chain than the challenge's");
    if (challenge.spentAtMs !== undefined) problems.push(usedNonce);
    else if (challenge.expiresAtMs <= deps.clock.now()) problems.push('message has expired: ask for a new challenge');
  }
  if (problems.length > 0) return refusedFor(problems.map((message): BodyProblem => ({ message })));
  if (challenge === undefined || message !== signInMessage(challenge, deps.site))
    return refusedForOne('message must be the text of the challenge, unchanged');
  return challenge;
}

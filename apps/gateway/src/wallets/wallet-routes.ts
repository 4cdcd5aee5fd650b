/** The routes of linked wallets: parse, call one use case, format the reply (contract/wallets). */

import type { Clock } from '@flowgate/base/clock';
import { isTypeId } from '@flowgate/base/ids';
import { isoTime } from '@flowgate/base/iso-time';
import { type Page, pageOf, parsePage } from '@flowgate/base/page';
import type { RandomBytes } from '@flowgate/base/random';
import { type Ok, ok, type Result, refused } from '@flowgate/base/result';
import { type BodyRefusal, refusedForOne } from '@flowgate/body-schema/body-problems';
import type { BodyOf } from '@flowgate/body-schema/body-schema';
import { checkedBody } from '@flowgate/body-schema/checked-body';
import { checksumAddress, isEvmAddress } from '@flowgate/chain/evm-address';
import { pageQuery } from '../api/page-query.ts';
import { emptyReply, okReply } from '../api/reply-of.ts';
import type { CallerRoute, RouteAnswer } from '../api/route.ts';
import { type Actor, actorOf } from '../audit/audit-note.ts';
import { type LinkDeps, linkWallet } from './link-wallet.ts';
import type { SignInSite } from './sign-in-site.ts';
import type { ChallengeRecord, WalletStore } from './wallet-store.ts';
import {
  challengeInput,
  maxSignatureBytes,
  wallet,
  walletChallenge,
  walletInput,
  walletPage,
  walletPath,
  walletView,
} from './wallet-wire.ts';

type ChallengeDeps = {
  readonly store: Pick<WalletStore, 'insertChallenge'>;
  readonly site: SignInSite;
  /** The chains of this gateway's networks. */
  readonly hasChain: (chainId: number) => boolean;
  /** The chain of the default network, if there is one. */
  readonly defaultChainId: number | undefined;
  readonly clock: Pick<Clock, 'now'>;
  readonly randomBytes: RandomBytes;
};

const lifeMs = 600_000;
/** The most valid challenges of one user; a new one replaces the oldest. */
const maxChallenges = 20;

/** Gives a user the message that a wallet has to sign before it is linked (contract/wallets#challenge). Throws `Unavailable` when the store is unavailable. */
async function challengeWallet(
  deps: ChallengeDeps,
  userId: string,
  body: unknown,
): Promise<Ok<BodyOf<typeof walletChallenge>> | BodyRefusal> {
  const input = checkedBody(challengeInput.schema(), body);
  if (!input.ok) return input;
  const { address, chainId = deps.defaultChainId } = input.value;
  if (chainId === undefined) return refusedForOne('chainId is required: this gateway has no default network');
  if (!deps.hasChain(chainId)) return refusedForOne('chainId is not the chain id of a network of this gateway');
  const createdAtMs = deps.clock.now();
  const challenge: ChallengeRecord = {
    nonce: deps.randomBytes(16).toString('hex'),
    userId,
    address: address.toLowerCase(),
    chainId,
    createdAtMs,
    expiresAtMs: createdAtMs + lifeMs,
  };
  const { signInMessage } = await import('./sign-in-message.ts');
  const message = signInMessage(challenge, deps.site);
  await deps.store.insertChallenge(challenge, maxChallenges);
  return ok({ message, nonce: challenge.nonce, expiresAt: isoTime(challenge.expiresAtMs) });
}

export type WalletRouteDeps = ChallengeDeps & LinkDeps & { readonly store: WalletStore };

const path = '/users/me/wallets';
const one = `${path}/{address}`;
const tag = 'Wallets';
/** Enough for the longest signature, message and label. */
const maxBodyBytes = 2 * maxSignatureBytes + 65_536;

type View = BodyOf<typeof wallet>;

/** Lists a user's wallets a page at a time, newest first, or returns one wallet. Throws `Unavailable` when the store is unavailable. */
async function listWallets(
  { store }: { readonly store: Pick<WalletStore, 'list'> },
  userId: string,
  query: URLSearchParams,
): Promise<Result<Page<View>, 'bad-request'>> {
  const page = parsePage(query, { defaultLimit: 20, isId: (id) => isTypeId('wal', id) });
  if (!page.ok) return page;
  const { records, next } = await store.list(userId, page.value);
  return ok(pageOf(records.map(walletView), next));
}

/** An invalid address is answered like an unknown one. Throws `Unavailable` when the store is unavailable. */
async function findWallet(
  { store }: { readonly store: Pick<WalletStore, 'find'> },
  userId: string,
  address: string,
): Promise<Result<View, 'not-found'>> {
  const record = isEvmAddress(address) ? await store.find(userId, address.toLowerCase()) : undefined;
  return record === undefined ? refused('not-found', noWallet) : ok(walletView(record));
}

const noWallet = 'You have linked no such wallet.';

export function walletRoutes(deps: WalletRouteDeps): readonly CallerRoute[] {
  return [
    {
      method: 'POST',
      path: `${path}/challenge`,
      accessLevel: 'caller',
      maxBodyBytes,
      doc: {
        summary: 'Ask for a challenge',
        description:
          'The message that the wallet has to sign (EIP-4361). It is for this user and this address, links one wallet, and is worth something for ten minutes. Of a user, the 20 newest challenges count.',
        tag,
        body: challengeInput,
        responses: [{ status: 200, description: 'The challenge to sign.', schema: walletChallenge }],
        refusals: ['bad-request'],
      },
      handle: async ({ caller, body }) => okReply(await challengeWallet(deps, caller.userId, body)),
    },
    {
      method: 'POST',
      path,
      accessLevel: 'caller',
      maxBodyBytes,
      doc: {
        summary: 'Link a wallet',
        description:
          "The message of a challenge, unchanged, and the wallet's signature of it: of a key, 65 bytes or the 64 of EIP-2098; of a contract wallet as EIP-1271 has it and, before it is deployed, EIP-6492. A contract wallet is asked on the chain that the message names; when no node of it answers, this is 502, and when policies deny the caller this call, 403. Invalid input is 400 with the reason, and the challenge may be used again; only a success uses it. A user has at most 20 wallets, each once; several users may link one.",
        tag,
        body: walletInput,
        responses: [{ status: 201, description: 'Linked.', schema: wallet }],
        refusals: ['bad-request', 'denied', 'conflict', 'bad-gateway'],
      },
      handle: async (request): Promise<RouteAnswer> => {
        const linked = await linkWallet(deps, { caller: request.caller, actor: actorOf(request) }, request.body);
        if (!linked.ok) return linked;
        return { status: 201, body: linked.value, headers: { Location: `${path}/${linked.value.address}` } };
      },
    },
    {
      method: 'GET',
      path,
      accessLevel: 'caller',
      doc: {
        summary: 'List wallets',
        description: "The caller's, newest first.",
        tag,
        query: pageQuery(20),
        responses: [{ status: 200, description: 'A page of wallets.', schema: walletPage }],
        refusals: ['bad-request'],
      },
      handle: async ({ caller, query }) => okReply(await listWallets(deps, caller.userId, query)),
    },
    {
      method: 'GET',
      path: one,
      accessLevel: 'caller',
      doc: {
        summary: 'Get a wallet',
        description: 'One that the caller has linked.',
        tag,
        path: walletPath,
        responses: [{ status: 200, description: 'The wallet.', schema: wallet }],
        refusals: ['not-found'],
      },
      handle: async ({ caller, params }) => okReply(await findWallet(deps, caller.userId, params['address'] ?? '')),
    },
    {
      method: 'DELETE',
      path: one,
      accessLevel: 'caller',
      doc: {
        summary: 'Unlink a wallet',
        description: 'For the caller only: other users who proved the address remain linked.',
        tag,
        path: walletPath,
        responses: [{ status: 204, description: 'Unlinked.' }],
        refusals: ['not-found'],
      },
      handle: async (request) =>
        emptyReply(await unlinkWallet(deps, actorOf(request), request.params['address'] ?? '')),
    },
  ];
}

/** Unlinks a wallet from its user. Other users who linked the wallet are not affected. Throws `Unavailable` when the store is unavailable. */
async function unlinkWallet(
  { store }: { readonly store: Pick<WalletStore, 'unlink'> },
  actor: Actor,
  address: string,
): Promise<Result<undefined, 'not-found'>> {
  const absent = refused('not-found', noWallet);
  if (!isEvmAddress(address)) return absent;
  const note = { actor, action: 'wallet.unlinked', target: checksumAddress(address), details: {} } as const;
  return (await store.unlink(actor.userId, address.toLowerCase(), note)) ? ok(undefined) : absent;
}

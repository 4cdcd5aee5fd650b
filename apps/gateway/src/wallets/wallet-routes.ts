/** The routes of linked wallets: parse, call one use, shape the reply (contract/wallets). */

import { pageQuery } from '../api/page-query.ts';
import { emptyReply, okReply } from '../api/reply-of.ts';
import type { CallerRoute, RouteAnswer } from '../api/route.ts';
import { actorOf } from '../audit/audit-note.ts';
import { type ChallengeParts, challengeWallet } from './challenge-wallet.ts';
import { type LinkParts, linkWallet } from './link-wallet.ts';
import { findWallet, listWallets } from './list-wallets.ts';
import { unlinkWallet } from './unlink-wallet.ts';
import type { WalletStore } from './wallet-store.ts';
import {
  challengeInput,
  maxSignatureBytes,
  wallet,
  walletChallenge,
  walletInput,
  walletPage,
  walletPath,
} from './wallet-wire.ts';

export type WalletRouteParts = ChallengeParts & LinkParts & { readonly store: WalletStore };

const path = '/users/me/wallets';
const one = `${path}/{address}`;
const tag = 'Wallets';
/** Room for the longest signature, the message and the label. */
const maxBodyBytes = 2 * maxSignatureBytes + 65_536;

export function walletRoutes(parts: WalletRouteParts): readonly CallerRoute[] {
  return [
    {
      method: 'POST',
      path: `${path}/challenge`,
      admittance: 'caller',
      maxBodyBytes,
      doc: {
        summary: 'Ask for a challenge',
        description:
          'The message that the wallet has to sign (EIP-4361). It is for this user and this address, links one wallet, and is worth something for ten minutes. Of a user, the 20 newest challenges count.',
        tag,
        body: challengeInput,
        responses: [{ status: 200, description: 'What is to be signed.', schema: walletChallenge }],
        refusals: ['bad-request'],
      },
      handle: async ({ caller, body }) => okReply(await challengeWallet(parts, caller.userId, body)),
    },
    {
      method: 'POST',
      path,
      admittance: 'caller',
      maxBodyBytes,
      doc: {
        summary: 'Link a wallet',
        description:
          "The message of a challenge, unchanged, and the wallet's signature of it: of a key, 65 bytes or the 64 of EIP-2098; of a contract wallet as EIP-1271 has it and, before it is deployed, EIP-6492. A contract wallet is asked on the chain that the message names; when no node of it answers, this is 502, and when policies deny the caller this call, 403. Whatever does not fit is 400 and named, and the challenge may be used again; only a success spends it. A user has at most 20 wallets, each once; several users may link one.",
        tag,
        body: walletInput,
        responses: [{ status: 201, description: 'Linked.', schema: wallet }],
        refusals: ['bad-request', 'denied', 'conflict', 'bad-gateway'],
      },
      handle: async (request): Promise<RouteAnswer> => {
        const linked = await linkWallet(parts, { caller: request.caller, actor: actorOf(request) }, request.body);
        if (!linked.ok) return linked;
        return { status: 201, body: linked.value, headers: { Location: `${path}/${linked.value.address}` } };
      },
    },
    {
      method: 'GET',
      path,
      admittance: 'caller',
      doc: {
        summary: 'List wallets',
        description: "The caller's, newest first.",
        tag,
        query: pageQuery(20),
        responses: [{ status: 200, description: 'A page of wallets.', schema: walletPage }],
        refusals: ['bad-request'],
      },
      handle: async ({ caller, query }) => okReply(await listWallets(parts, caller.userId, query)),
    },
    {
      method: 'GET',
      path: one,
      admittance: 'caller',
      doc: {
        summary: 'Look at a wallet',
        description: 'One that the caller has linked.',
        tag,
        path: walletPath,
        responses: [{ status: 200, description: 'The wallet.', schema: wallet }],
        refusals: ['not-found'],
      },
      handle: async ({ caller, params }) => okReply(await findWallet(parts, caller.userId, params['address'] ?? '')),
    },
    {
      method: 'DELETE',
      path: one,
      admittance: 'caller',
      doc: {
        summary: 'Unlink a wallet',
        description: 'From the caller only: others who proved it keep it.',
        tag,
        path: walletPath,
        responses: [{ status: 204, description: 'Unlinked.' }],
        refusals: ['not-found'],
      },
      handle: async (request) =>
        emptyReply(await unlinkWallet(parts, actorOf(request), request.params['address'] ?? '')),
    },
  ];
}

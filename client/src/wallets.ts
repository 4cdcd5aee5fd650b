/** A user's wallets: proved by a signature, listed, unlinked (contract/wallets). */

import { askFor } from './ask-for.ts';
import { hasMembers } from './has-members.ts';
import { createPaged, type Paged } from './paged.ts';
import { pathSegment } from './path-segment.ts';
import type { CallOptions, Send } from './transport.ts';
import type { Wallet, WalletChallenge, WalletChallengeInput, WalletInput } from './wire.ts';

const walletsPath = '/users/me/wallets';

/** Newest first. */
export type Wallets = Paged<Wallet> & {
  /** The message that the wallet signs as it is, within ten minutes. */
  challenge(input: WalletChallengeInput, options?: CallOptions): Promise<WalletChallenge>;
  /** 400 with what does not fit; the challenge then is still good. 409 for a wallet that is linked already, and beyond 20. Never repeated. */
  link(input: WalletInput, options?: CallOptions): Promise<Wallet>;
  /** 404 for a wallet that is not linked. */
  get(address: string, options?: CallOptions): Promise<Wallet>;
  unlink(address: string, options?: CallOptions): Promise<void>;
};

export function createWallets(send: Send): Wallets {
  const pathOf = (address: string) => `${walletsPath}/${pathSegment(address)}`;
  return {
    ...createPaged(send, walletsPath, isWallet),
    challenge: async (input, options = {}) =>
      askFor(send, isChallenge, {
        ...{ method: 'POST', path: `${walletsPath}/challenge`, body: input },
        ...{ repeatable: true, options },
      }),
    link: async (input, options = {}) =>
      askFor(send, isWallet, { method: 'POST', path: walletsPath, body: input, repeatable: false, options }),
    get: async (address, options = {}) =>
      askFor(send, isWallet, { method: 'GET', path: pathOf(address), repeatable: true, options }),
    async unlink(address, options = {}) {
      await send({ method: 'DELETE', path: pathOf(address), repeatable: true, options });
    },
  };
}

function isChallenge(value: unknown): value is WalletChallenge {
  return hasMembers(value, { message: 'string', nonce: 'string', expiresAt: 'string' });
}

function isWallet(value: unknown): value is Wallet {
  const members = { address: 'string', kind: 'string', chainId: 'number', linkedAt: 'string' } as const;
  return hasMembers(value, members, { label: 'string' });
}

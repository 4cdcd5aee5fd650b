/** A user's wallets: linked by a signature, listed, unlinked (contract/wallets). */

import { ask } from './ask.ts';
import * as shapes from './generated/shapes.ts';
import { createPaged, type Paged } from './paged.ts';
import type { CallOptions, Send } from './transport.ts';
import type { Wallet, WalletChallenge, WalletChallengeInput, WalletInput } from './wire.ts';

/** Newest first. */
export type Wallets = Paged<Wallet> & {
  /** Returns the message that the wallet signs unchanged, within ten minutes. */
  challenge(input: WalletChallengeInput, options?: CallOptions): Promise<WalletChallenge>;
  /**
   * Links a wallet. 400 with the reason for an invalid signature; the challenge then remains valid. 409 for a linked wallet, and above 20 wallets. Never
   * retried.
   */
  link(input: WalletInput, options?: CallOptions): Promise<Wallet>;
  /** 404 for a wallet that is not linked. */
  get(address: string, options?: CallOptions): Promise<Wallet>;
  unlink(address: string, options?: CallOptions): Promise<void>;
};

export function createWallets(send: Send): Wallets {
  const path = '/users/me/wallets';
  return {
    ...createPaged(send, `GET ${path}`, shapes.wallet, []),
    challenge: (body, options) =>
      ask(send, `POST ${path}/challenge`, shapes.walletChallenge, [], { body, repeatable: true, options }),
    link: (body, options) => ask(send, `POST ${path}`, shapes.wallet, [], { body, repeatable: false, options }),
    get: (address, options) => ask(send, `GET ${path}/{address}`, shapes.wallet, [address], { options }),
    unlink: (address, options) => ask(send, `DELETE ${path}/{address}`, undefined, [address], { options }),
  };
}

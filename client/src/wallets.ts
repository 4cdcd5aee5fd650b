/** A user's wallets: proved by a signature, listed, unlinked (contract/wallets). */

import { ask } from './ask.ts';
import * as shapes from './generated/shapes.ts';
import { createPaged, type Paged } from './paged.ts';
import type { CallOptions, Send } from './transport.ts';
import type { Wallet, WalletChallenge, WalletChallengeInput, WalletInput } from './wire.ts';

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

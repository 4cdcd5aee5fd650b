/** The message that proves a wallet (EIP-4361): made of a challenge, and read again to say what does not fit. Loads viem, so it is loaded only when it is needed (docs/decisions/0081). */

import { checksumAddress } from '@flowgate/chain/evm-address';
import { createSiweMessage, parseSiweMessage } from 'viem/siwe';
import type { SignInSite } from './sign-in-site.ts';
import type { ChallengeRecord } from './wallet-store.ts';

const statement = 'Link this wallet to your account at this gateway.';

/** viem writes and reads only host names with a dot, IPv4 addresses and this one; an authority may be more (RFC 3986), such as a name without a dot. */
const standIn = 'localhost';

/** The same text whenever it is made of the same challenge. */
export function signInMessage(challenge: ChallengeRecord, site: SignInSite): string {
  const text = createSiweMessage({
    domain: standIn,
    address: hex(checksumAddress(challenge.address)),
    statement,
    uri: site.uri,
    version: '1',
    chainId: challenge.chainId,
    nonce: challenge.nonce,
    issuedAt: new Date(challenge.createdAtMs),
    expirationTime: new Date(challenge.expiresAtMs),
  });
  return site.domain + text.slice(standIn.length);
}

export type ReadMessage = {
  /** False when the message names another site than this one. */
  readonly isOfDomain: boolean;
  readonly address: string | undefined;
  readonly uri: string | undefined;
  readonly chainId: number | undefined;
  readonly nonce: string | undefined;
};

/** What the message says, as far as it has the form of EIP-4361. Nothing is trusted because of it: a proof holds only for exactly the text that `signInMessage` makes. */
export function readMessage(message: string, { domain }: SignInSite): ReadMessage {
  const isOfDomain = message.startsWith(`${domain} wants you to sign in`);
  const { address, uri, chainId, nonce } = parseSiweMessage(
    isOfDomain ? standIn + message.slice(domain.length) : message,
  );
  return { isOfDomain, address, uri, chainId, nonce };
}

function hex(text: string): `0x${string}` {
  return `0x${text.slice(2)}`;
}

/**
 * The message that proves a wallet (EIP-4361): written from a challenge, and parsed to report what is wrong with it. Loads viem, so import it only when it is
 * needed (docs/decisions/0081).
 */

import { checksumAddress } from '@flowgate/chain/evm-address';
import { createSiweMessage, parseSiweMessage } from 'viem/siwe';
import type { SignInSite } from './sign-in-site.ts';
import type { ChallengeRecord } from './wallet-store.ts';

const statement = 'Link this wallet to your account at this gateway.';

/**
 * Replaces the site's authority in viem's input. viem writes and reads only host names with a dot, IPv4 addresses and `localhost`; RFC 3986 also allows others,
 * such as a name without a dot.
 */
const standIn = 'localhost';

/** The same challenge always gives the same text. */
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

/** Parses a message in the form of EIP-4361. The result is not trusted: a proof is valid only for exactly the text of `signInMessage`. */
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

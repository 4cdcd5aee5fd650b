/** A test file's view of an installation: its URLs, and users that no other file has. */
import { createFlowgate, type Flowgate } from '@flowgate/client';
import { signIn } from '../../devkit/src/sign-in.ts';

export type ConsoleAddresses = {
  readonly gatewayUrl: string;
  readonly issuer: string;
  readonly chainUrl: string;
  readonly nodeProviderUrl: string;
};

export type TestedConsole = ConsoleAddresses & {
  /** The id of `alice`, `bob`, `carol`, `dave` or, with the administrator's role, `admin` of this file. */
  readonly userOf: (user: string) => string;
  /** A client with a token of this user. */
  readonly clientOf: (user: string) => Promise<Flowgate>;
};

/**
 * `file`: the file that owns these users, without an ending. Default: the users of an installation for a single file.
 */
export function testedConsole(addresses: ConsoleAddresses, file?: string): TestedConsole {
  const { gatewayUrl, issuer, chainUrl, nodeProviderUrl } = addresses;
  const userOf = (user: string) => (file === undefined ? user : `${user}-${file}`);
  return {
    ...{ gatewayUrl, issuer, chainUrl, nodeProviderUrl },
    userOf,
    clientOf: async (user) => createFlowgate({ url: gatewayUrl, token: await signIn({ issuer, user: userOf(user) }) }),
  };
}

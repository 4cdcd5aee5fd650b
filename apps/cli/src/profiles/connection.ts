/**
 * Selects the gateway and the credential of a command. A credential is only sent to the gateway that issued it: those of the environment to FLOWGATE_URL, those
 * of a profile to the profile's address (docs/decisions/0116).
 */

import type { Credential } from '@flowgate/client';
import { CliProblem } from '../cli-problem.ts';
import type { Profiles } from './create-profiles.ts';
import { gatewayUrl, type Profile } from './profile.ts';

export type CredentialKind = 'token' | 'apiKey';

export type Connection = {
  /** Without a trailing slash. */
  readonly url: string;
  readonly kind: CredentialKind;
  readonly credential: Credential;
  /** Where the credential comes from. */
  readonly source: { readonly environment: 'FLOWGATE_TOKEN' | 'FLOWGATE_API_KEY' } | { readonly profile: string };
};

export type Asked = { readonly profile?: string; readonly url?: string };

/** A gateway and the source of its credentials. */
export type Gateway = {
  readonly url: string;
  /** The profile with this address; undefined when the environment provides the address, or no profile has it. */
  readonly profile: { readonly name: string; readonly profile: Profile } | undefined;
  /** Whether FLOWGATE_TOKEN and FLOWGATE_API_KEY apply. */
  readonly isOfEnvironment: boolean;
};

export type ConnectionSettings = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly profiles: Profiles;
  /** The profile's access token, renewed if necessary. */
  readonly presentToken: (name: string, profile: Profile) => () => Promise<string>;
};

/** Selects the gateway: `--profile`, then `--url`, then FLOWGATE_URL, then the current profile. Throws `CliProblem`. */
export function chooseGateway(
  { environment, profiles }: Omit<ConnectionSettings, 'presentToken'>,
  asked: Asked,
): Gateway {
  const ofEnvironment = checkedUrl(environment['FLOWGATE_URL'], 'FLOWGATE_URL');
  if (asked.profile !== undefined) {
    const found = profiles.read(asked.profile);
    if (found === undefined)
      throw new CliProblem(
        'usage',
        `there is no profile ${asked.profile}`,
        'flowgate profiles list shows all of them.',
      );
    const url = checkedUrl(asked.url, '--url');
    if (url !== undefined && url !== found.url)
      throw new CliProblem('usage', `the profile ${asked.profile} is for ${found.url}, not for ${url}`);
    return { url: found.url, profile: { name: asked.profile, profile: found }, isOfEnvironment: false };
  }
  const named = checkedUrl(asked.url, '--url') ?? ofEnvironment;
  if (named !== undefined)
    return { url: named, profile: profiles.find(named), isOfEnvironment: named === ofEnvironment };
  const name = profiles.current();
  const current = profiles.read(name);
  if (current === undefined)
    throw new CliProblem(
      'usage',
      'which gateway?',
      'flowgate login https://rpc.example.com signs you in at one; FLOWGATE_URL or --url name one, too.',
    );
  return { url: current.url, profile: { name, profile: current }, isOfEnvironment: false };
}

/** Throws `CliProblem` of kind `usage` when there is no credential of these kinds. */
export function connect(
  settings: ConnectionSettings,
  asked: Asked,
  kinds: readonly [CredentialKind, ...CredentialKind[]],
): Connection {
  const gateway = chooseGateway(settings, asked);
  for (const kind of kinds) {
    const found = credentialOf(settings, gateway, kind);
    if (found !== undefined) return { url: gateway.url, kind, ...found };
  }
  throw new CliProblem('usage', missing(kinds, gateway.url), advice(settings, gateway, kinds));
}

function credentialOf(
  { environment, presentToken }: ConnectionSettings,
  { profile, isOfEnvironment }: Gateway,
  kind: CredentialKind,
): Pick<Connection, 'credential' | 'source'> | undefined {
  const name = kind === 'token' ? 'FLOWGATE_TOKEN' : 'FLOWGATE_API_KEY';
  const given = isOfEnvironment ? (environment[name] ?? '') : '';
  if (!/^[\x21-\x7e]*$/.test(given))
    throw new CliProblem('usage', `${name} contains a character that no credential has`);
  if (given !== '')
    return { credential: kind === 'token' ? { token: given } : { apiKey: given }, source: { environment: name } };
  if (profile === undefined) return undefined;
  const source = { profile: profile.name };
  const { signIn, apiKey } = profile.profile;
  if (kind === 'token') return signIn && { credential: { token: presentToken(profile.name, profile.profile) }, source };
  return apiKey && { credential: { apiKey: apiKey.apiKey }, source };
}

function missing(kinds: readonly CredentialKind[], url: string): string {
  if (kinds.length > 1) return `there is no credential for ${url}`;
  return kinds[0] === 'token' ? `this needs you to be signed in at ${url}` : `this needs an API key of ${url}`;
}

function advice({ environment }: ConnectionSettings, gateway: Gateway, kinds: readonly CredentialKind[]): string {
  const variables = kinds.map((kind) => (kind === 'token' ? 'FLOWGATE_TOKEN' : 'FLOWGATE_API_KEY'));
  if (!gateway.isOfEnvironment && variables.some((name) => (environment[name] ?? '') !== ''))
    return `${variables.join(' and ')} count together with FLOWGATE_URL, which says what gateway they are for.`;
  return kinds.includes('token')
    ? `flowgate login ${gateway.url}`
    : 'flowgate keys mint LABEL --save creates and saves one; or set FLOWGATE_API_KEY.';
}

function checkedUrl(text: string | undefined, name: string): string | undefined {
  if (text === undefined || text === '') return undefined;
  const url = gatewayUrl(text);
  if (url === undefined)
    throw new CliProblem('usage', `${name} must be an http(s) address without user, password, query and fragment`);
  return url;
}

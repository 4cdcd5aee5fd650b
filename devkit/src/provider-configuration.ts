/** oidc-provider's configuration: the development provider's clients, tokens and their lifetimes. */
import type { AdapterFactory, Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { InvalidTarget } from 'oidc-provider/lib/helpers/errors.js';
import { clientId, signedInPath } from './authorization-code.ts';
import type { DevelopmentUser } from './development-users.ts';
import { devicePages } from './device-pages.ts';
import { escapeHtml, sendPage } from './page.ts';
import type { SigningKey } from './signing-keys.ts';

/** The CLI's public client; default of the gateway's `identity.commandLine.clientId`. */
export const commandLineClientId = 'flowgate-cli';

/** A resource indicator must be a URI (RFC 8707); the tokens' `aud` is the value in the gateway's configuration. */
const resource = 'urn:flowgate:gateway';

export type ProviderSettings = {
  readonly keys: readonly SigningKey[];
  readonly adapter: AdapterFactory;
  readonly users: readonly DevelopmentUser[];
  readonly audience: string;
  /** The resources for which tokens may be requested (RFC 8707); undefined: any. */
  readonly resources: readonly string[] | undefined;
  readonly accessTokenTtlSeconds: number;
};

export function providerConfiguration(settings: ProviderSettings): Configuration {
  const ttl = settings.accessTokenTtlSeconds;
  const userOf = (id: string | undefined) => settings.users.find((user) => user.id === id);
  return {
    adapter: settings.adapter,
    jwks: { keys: [...settings.keys] },
    clients: [developmentClient(), commandLineClient(), consoleClient()],
    scopes: ['openid', 'offline_access'],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    clientBasedCORS: (_context, origin) => isLoopback(origin),
    findAccount: (_context, id) => {
      const user = userOf(id);
      return user && { accountId: id, claims: () => ({ sub: id, name: user.name }) };
    },
    extraTokenClaims: (_context, token) =>
      'accountId' in token ? { roles: [...(userOf(token.accountId)?.roles ?? [])] } : undefined,
    loadExistingGrant: grantWithoutAsking,
    ttl: {
      AccessToken: ttl,
      IdToken: ttl,
      Session: ttl,
      Grant: ttl,
      Interaction: 3600,
      AuthorizationCode: 60,
      DeviceCode: 600,
      RefreshToken: 14 * 24 * 3600,
    },
    renderError: (context, out) => {
      context.respond = false;
      const reason = escapeHtml(out.error_description ?? out.error);
      sendPage(context.res, context.status, 'Sign-in failed', `<p>${reason}</p><p><a href="/">Start again</a></p>`);
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: async (_context, client, token) => token.clientId === client.clientId,
      },
      deviceFlow: devicePages,
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, asked) => {
          if (asked !== resource && settings.resources?.includes(asked) === false) throw new InvalidTarget();
          return {
            scope: '',
            audience: settings.audience,
            accessTokenTTL: ttl,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'ES256' } },
          };
        },
      },
    },
  };
}

/** A native application (RFC 8252 7.3): its loopback redirect URIs match on any port, so consoles and tests need no registration. */
function developmentClient(): NonNullable<Configuration['clients']>[number] {
  return {
    client_id: clientId,
    client_name: 'Flowgate development',
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code'],
    response_types: ['code'],
    redirect_uris: [`http://127.0.0.1${signedInPath}`, 'http://127.0.0.1/callback', 'http://localhost/callback'],
  };
}

/**
 * `flowgate login`: a native application, by code on a loopback port or by device code. Each use replaces the refresh token, as oidc-provider does by default
 * for such clients.
 */
function commandLineClient(): NonNullable<Configuration['clients']>[number] {
  return {
    client_id: commandLineClientId,
    client_name: 'Flowgate command line',
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    response_types: ['code'],
    redirect_uris: ['http://127.0.0.1/callback'],
  };
}

/** The console, on any port of the gateway. */
function consoleClient(): NonNullable<Configuration['clients']>[number] {
  return {
    ...developmentClient(),
    client_id: 'flowgate-console',
    client_name: 'Flowgate console',
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: ['127.0.0.1', 'localhost'].map((host) => `http://${host}/console/signed-in`),
  };
}

/** All clients belong to this project, so a consent page would add only a click. */
async function grantWithoutAsking(context: KoaContextWithOIDC) {
  const { client, session, provider } = context.oidc;
  if (client === undefined || session?.accountId === undefined) return undefined;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope('openid offline_access');
  await grant.save();
  return grant;
}

function isLoopback(origin: string): boolean {
  return URL.canParse(origin) && ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(origin).hostname);
}

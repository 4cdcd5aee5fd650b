/** An OpenID provider for development and tests, on loopback only: sign-in without passwords, tokens in the form of production. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Provider } from 'oidc-provider/lib/provider.js';
import { type DevelopmentUser, developmentUsers } from './development-users.ts';
import { createMemoryAdapter } from './memory-adapter.ts';
import { sendPage } from './page.ts';
import { providerConfiguration } from './provider-configuration.ts';
import { answerSignIn, interactionPath } from './sign-in-page.ts';
import { createSigningKey, loadSigningKeys, saveSigningKeys } from './signing-keys.ts';
import { answerTokenPage } from './token-page.ts';

export type IdentityProvider = {
  /** The tokens' `iss`, and the URL of the page where users get a token. */
  readonly issuer: string;
  readonly port: number;
  /**
   * Adds a new key, which signs from now on. `keepOld: false` also removes the earlier keys from the JWKS, so that their tokens become invalid. Default true.
   */
  rotateKeys(options?: { readonly keepOld?: boolean }): Promise<void>;
  /** Closes every connection. The port is free when this resolves. */
  stop(): Promise<void>;
};

export type IdentityProviderOptions = {
  /** 0, the default, chooses a free port. */
  readonly port?: number;
  /** Directory of the signing keys, so that tokens survive a restart. By default the keys are in memory only. */
  readonly keysFile?: string;
  /** Default: `alice`, and `admin` with the role `admin`. */
  readonly users?: readonly DevelopmentUser[];
  /** The tokens' `aud`; default `flowgate`. */
  readonly audience?: string;
  /** The resources for which tokens may be requested (RFC 8707); default: any. */
  readonly resources?: readonly string[];
  /** Default 12 hours. */
  readonly accessTokenTtlSeconds?: number;
  /** Shown in the page's `curl` line; default `http://127.0.0.1:8080`. */
  readonly gatewayUrl?: string;
  /** Receives internal errors; default: standard error. */
  readonly onError?: (error: Error) => void;
  readonly nodeEnv?: string | undefined;
};

/** Throws when NODE_ENV is `production`, and with `code: 'EADDRINUSE'` when the port is in use. */
export async function startIdentityProvider(options: IdentityProviderOptions = {}): Promise<IdentityProvider> {
  const { nodeEnv = process.env.NODE_ENV } = options;
  if (nodeEnv === 'production') {
    throw new Error(
      'The development identity provider lets any caller sign in as any user: it does not start with NODE_ENV=production.',
    );
  }
  let keys = await loadSigningKeys(options.keysFile);
  const adapter = createMemoryAdapter();
  const users = options.users ?? developmentUsers;
  const onError = options.onError ?? console.error;
  let answer: Handler = (_request, response) => void response.writeHead(503).end();
  const server = createServer((request, response) => answer(request, response));
  const port = await listen(server, options.port ?? 0);
  const issuer = `http://127.0.0.1:${port}`;

  const build = () => {
    const audience = options.audience ?? 'flowgate';
    const accessTokenTtlSeconds = options.accessTokenTtlSeconds ?? 12 * 3600;
    const provider = new Provider(
      issuer,
      providerConfiguration({ keys, adapter, users, audience, resources: options.resources, accessTokenTtlSeconds }),
    );
    provider.on('server_error', (_context, error) => onError(error));
    const gatewayUrl = options.gatewayUrl ?? 'http://127.0.0.1:8080';
    return createHandler({ provider, users, issuer, gatewayUrl, onError });
  };
  answer = build();

  return {
    issuer,
    port,
    rotateKeys: async ({ keepOld = true } = {}) => {
      keys = [await createSigningKey(), ...(keepOld ? keys : [])];
      if (options.keysFile !== undefined) saveSigningKeys(options.keysFile, keys);
      answer = build();
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

type HandlerDeps = {
  readonly provider: Provider;
  readonly users: readonly DevelopmentUser[];
  readonly issuer: string;
  readonly gatewayUrl: string;
  readonly onError: (error: Error) => void;
};

function createHandler({ provider, users, issuer, gatewayUrl, onError }: HandlerDeps): Handler {
  const answerProtocol = provider.callback();
  const { host } = new URL(issuer);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // A page of another site whose name points here (DNS rebinding) must not sign in as an admin.
    if (request.headers.host !== host) return sendPage(response, 421, 'Wrong address', `<p>Use ${issuer} instead.</p>`);
    if (request.url?.startsWith(interactionPath)) return answerSignIn(provider, users, request, response);
    if (!(await answerTokenPage({ issuer, gatewayUrl }, request, response))) await answerProtocol(request, response);
  };
  return (request, response) => {
    answer(request, response).catch((error: Error) => {
      onError(error);
      if (response.headersSent) response.destroy();
      else sendPage(response, 500, 'Internal error', '<p>See the provider’s log for the cause.</p>');
    });
  };
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The identity provider has no port.');
  return address.port;
}

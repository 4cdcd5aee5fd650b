/** The issuer that signs users in for a gateway: discovered from the gateway, and called only over https or loopback. */

import { messageOf } from '@flowgate/base/text';
import type { ProtectedResource } from '@flowgate/client';
import { isPrivateTransport } from '@flowgate/http1/private-transport';
import * as oauth from 'openid-client';
import { CliProblem } from '../cli-problem.ts';
import { gatewayUrl } from '../profiles/profile.ts';
import type { Fetch } from '../runtime.ts';

export type Issuer = {
  readonly configuration: oauth.Configuration;
  readonly issuer: string;
  readonly clientId: string;
};

/** The gateway's sign-in metadata (RFC 9728). */
export type SignInPlace = {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
  readonly audience: string | undefined;
  /** The gateway's address in its metadata, which the issuer receives as `resource` (RFC 8707); undefined: not sent. */
  readonly resource: string | undefined;
};

const timeoutSeconds = 10;
/** Allowed difference between the clocks of this machine and of the issuer. */
const clockToleranceSeconds = 300;

/** `sendsResource`: false for an issuer that refuses `resource`. Throws `CliProblem` when the metadata belong to another gateway (RFC 9728, 3.3). */
export function signInPlace(url: string, metadata: ProtectedResource, sendsResource: boolean): SignInPlace {
  const [issuer] = metadata.authorization_servers;
  if (issuer === undefined) throw new CliProblem('failed', `${url} names no issuer`);
  const named = gatewayUrl(metadata.resource);
  if (named === undefined || withoutAlias(named) !== withoutAlias(url))
    throw new CliProblem(
      'usage',
      `the gateway at ${url} calls itself ${metadata.resource}`,
      `If that is where you meant to go: flowgate login ${named ?? ''}`,
    );
  const { client_id: clientId, scope, audience } = metadata.flowgate_command_line;
  return { issuer, clientId, scope, audience, resource: sendsResource ? metadata.resource : undefined };
}

/** The parameter `resource` of requests to the token endpoint (RFC 8707, 2.2). */
export function resourceOf({ resource }: { readonly resource?: string | undefined }): Record<string, string> {
  return resource === undefined ? {} : { resource };
}

/** The parameters that name the gateway to the issuer: `resource` (RFC 8707), and Auth0's `audience`. */
export function targetOf({ resource, audience }: Pick<SignInPlace, 'resource' | 'audience'>): Record<string, string> {
  return { ...resourceOf({ resource }), ...(audience === undefined ? {} : { audience }) };
}

/** One spelling for the loopback host. */
function withoutAlias(url: string): string {
  return url.replace(/^(https?:\/\/)(localhost|\[::1\])(?=[:/]|$)/, '$1127.0.0.1');
}

/** Discovery; the document must name `issuer` itself. Throws `CliProblem`. */
export async function openIssuer(
  { issuer, clientId }: { readonly issuer: string; readonly clientId: string },
  fetch: Fetch,
): Promise<Issuer> {
  const url = URL.parse(issuer);
  if (url === null || !isPrivateTransport(url))
    throw new CliProblem('failed', `the issuer ${issuer} is neither at https nor at http on this machine`);
  const reaching: oauth.CustomFetch = (to, { method, headers, body, signal }) => {
    const init = { method, headers, redirect: 'manual' as const, ...(signal === undefined ? {} : { signal }) };
    return fetch(to, body instanceof URLSearchParams || typeof body === 'string' ? { ...init, body } : init).catch(
      () => {
        throw new CliProblem('unreachable', `the issuer ${issuer} cannot be reached`);
      },
    );
  };
  const configuration = await asking(issuer, () =>
    oauth.discovery(url, clientId, { [oauth.clockTolerance]: clockToleranceSeconds }, oauth.None(), {
      [oauth.customFetch]: reaching,
      timeout: timeoutSeconds,
      execute: url.protocol === 'http:' ? [oauth.allowInsecureRequests] : [],
    }),
  );
  return { configuration, issuer, clientId };
}

/** Converts each error of the issuer into `CliProblem`. */
export async function asking<T>(issuer: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw problemOf(issuer, error);
  }
}

function problemOf(issuer: string, error: unknown): CliProblem {
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError) {
    const said = error.error_description ?? error.error;
    return new CliProblem('refused', `the issuer ${issuer} refused: ${said}`);
  }
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof CliProblem) return cause;
  if (error instanceof Error && 'code' in error && error.code === 'OAUTH_TIMEOUT')
    return new CliProblem('unreachable', `the issuer ${issuer} does not answer`);
  return new CliProblem('failed', `the issuer ${issuer} returned an invalid response: ${messageOf(error)}`);
}

/** The metadata of a protected resource (RFC 9728), from which `flowgate login` and other clients learn where to sign in. */

import type { BodyOf } from '@flowgate/body-schema/body-schema';
import type { PublicRoute } from '../../api/route.ts';
import { protectedResource } from './edge-wire.ts';

export type ProtectedResourceFacts = {
  /** The address that callers use. */
  readonly publicUrl: string;
  readonly issuer: string;
  readonly commandLine: {
    readonly clientId: string;
    readonly scope: string;
    readonly audience?: string | undefined;
  };
};

const headers = {
  'Cache-Control': 'public, max-age=300',
};

export function protectedResourceRoutes({
  publicUrl,
  issuer,
  commandLine,
}: ProtectedResourceFacts): readonly PublicRoute[] {
  const { clientId, scope, audience } = commandLine;
  const body: BodyOf<typeof protectedResource> = {
    resource: publicUrl,
    resource_name: 'Flowgate',
    resource_documentation: `${publicUrl}/reference`,
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    flowgate_command_line: { client_id: clientId, scope, ...(audience === undefined ? {} : { audience }) },
  };
  return [
    {
      method: 'GET',
      path: '/.well-known/oauth-protected-resource',
      accessLevel: 'public',
      doc: {
        summary: 'Where to sign in',
        description:
          'The issuer whose access tokens the gateway accepts (RFC 9728), and the public client that `flowgate login` uses.',
        tag: 'Operation',
        responses: [
          { status: 200, description: 'The metadata.', schema: protectedResource, headers: ['Cache-Control'] },
        ],
        refusals: [],
      },
      handle: () => ({ status: 200, body, headers }),
    },
  ];
}

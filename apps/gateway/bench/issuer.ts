/** The bench's own OpenID issuer: a key pair, its public key over HTTP, tokens for any subject. */
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export type BenchIssuer = {
  readonly url: string;
  readonly tokenFor: (userId: string) => Promise<string>;
  readonly stop: () => Promise<void>;
};

export async function startBenchIssuer(audience: string): Promise<BenchIssuer> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'bench', alg: 'ES256', use: 'sig' }] };
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    routes: {
      '/.well-known/openid-configuration': (request: Request) => {
        const { origin } = new URL(request.url);
        return Response.json({ issuer: origin, jwks_uri: `${origin}/jwks` });
      },
      '/jwks': () => Response.json(jwks),
    },
    fetch: () => new Response('not found', { status: 404 }),
  });
  const url = `http://127.0.0.1:${server.port}`;
  return {
    url,
    tokenFor: (userId) =>
      new SignJWT({})
        .setProtectedHeader({ alg: 'ES256', kid: 'bench' })
        .setIssuer(url)
        .setAudience(audience)
        .setSubject(userId)
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(privateKey),
    stop: () => server.stop(true),
  };
}

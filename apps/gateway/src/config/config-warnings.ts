/** Settings of a valid configuration that an operator should reconsider. */

import { isPrivateTransport } from '@flowgate/http1/private-transport';
import { addressRange } from '@flowgate/http1/safe-fetch/address-ranges';
import type { Config } from './config.ts';

/** `path` as in the file, `networks[0].nodes[1].url`. Values are not repeated: they may be secrets. */
export type ConfigWarning = { readonly path: string; readonly message: string };

export function configWarnings(config: Config): ConfigWarning[] {
  return [
    ...serverWarnings(config.server),
    ...identityWarnings(config.identity),
    ...config.keys.peppers.flatMap((pepper, at) =>
      pepper === pepper.trim() ? [] : [{ path: `keys.peppers[${at}]`, message: 'begins or ends with white space' }],
    ),
    ...networkWarnings(config.networks),
    ...config.networks.flatMap(hedgeWarnings),
    ...userinfoWarnings(config),
  ];
}

function serverWarnings({ host, publicUrl, trustedProxies, tls }: Config['server']): ConfigWarning[] {
  const everywhere = trustedProxies.flatMap((range, at) =>
    addressRange(range)?.prefix === 0
      ? [
          {
            path: `server.trustedProxies[${at}]`,
            message: 'trusts the X-Forwarded-For header of every caller',
          },
        ]
      : [],
  );
  if (publicUrl === undefined)
    return ['0.0.0.0', '::'].includes(host)
      ? [
          ...everywhere,
          { path: 'server.publicUrl', message: 'is missing, and server.host is not an address that callers can use' },
        ]
      : everywhere;
  if (!isPrivateTransport(new URL(publicUrl)))
    everywhere.push({ path: 'server.publicUrl', message: 'is plain http: keys and tokens can be read in transit' });
  if (tls !== undefined && new URL(publicUrl).protocol === 'http:')
    everywhere.push({ path: 'server.publicUrl', message: 'is plain http, but server.tls answers https only' });
  if (publicUrl.endsWith('/')) everywhere.push({ path: 'server.publicUrl', message: 'ends with a slash' });
  return everywhere;
}

function identityWarnings({ allowInsecureIssuer, audience, issuer }: Config['identity']): ConfigWarning[] {
  const warnings: ConfigWarning[] = [];
  if (allowInsecureIssuer)
    warnings.push({
      path: 'identity.allowInsecureIssuer',
      message: 'lets anyone between gateway and issuer replace the keys of tokens',
    });
  if (audience === 'flowgate' && new URL(issuer).protocol === 'https:')
    warnings.push({
      path: 'identity.audience',
      message: 'is the default, so tokens for any other gateway with it are valid here; use the public URL',
    });
  return warnings;
}

function hedgeWarnings({ nodes, routing }: Config['networks'][number], at: number): ConfigWarning[] {
  const tiers = nodes.map(({ tier }) => tier);
  if (routing.hedge === undefined || (routing.attempts > 1 && new Set(tiers).size < tiers.length)) return [];
  const message = 'has no effect: it needs two nodes of one tier, and two attempts';
  return [{ path: `networks[${at}].routing.hedge`, message }];
}

function networkWarnings(networks: Config['networks']): ConfigWarning[] {
  if (networks.length === 0) return [{ path: 'networks', message: 'is empty: no calls can be forwarded' }];
  const first = new Map<number, number>();
  return networks.flatMap(({ chainId }, at) => {
    if (chainId === undefined) return [];
    const before = first.get(chainId);
    if (before === undefined) first.set(chainId, at);
    return before === undefined
      ? []
      : [
          {
            path: `networks[${at}].chainId`,
            message: `is also that of networks[${before}]: payments use the first one`,
          },
        ];
  });
}

/** Logs of proxies and nodes may keep a URL with its password. */
function userinfoWarnings({ server, identity, flow, networks }: Config): ConfigWarning[] {
  const urls: (readonly [path: string, url: string | undefined])[] = [
    ['server.publicUrl', server.publicUrl],
    ['identity.jwksUri', identity.jwksUri],
    ['flow.facilitatorUrl', flow.facilitatorUrl],
    ...networks.flatMap(({ nodes }, network) =>
      nodes.flatMap(({ url, wsUrl }, node) => [
        [`networks[${network}].nodes[${node}].url`, url] as const,
        [`networks[${network}].nodes[${node}].wsUrl`, wsUrl] as const,
      ]),
    ),
  ];
  return urls.flatMap(([path, text]) => {
    const url = text === undefined ? null : URL.parse(text);
    if (url === null || (url.username === '' && url.password === '')) return [];
    const instead = path.startsWith('networks') ? 'use headers: { Authorization: … } instead' : 'remove them';
    return [{ path, message: `contains a user or a password: ${instead}` }];
  });
}

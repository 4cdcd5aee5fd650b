/** What only shows when several keys of the configuration are read together; works on its valid parts, so that one mistake hides no other. */

import type { z } from 'zod';
import { identity, network, provider } from './config.ts';
import { isPrivateTransport } from './platform/plain-http.ts';
import { evmMethods } from './rpc/evm-methods.ts';
import { enableProblem } from './rpc/method-policy.ts';

type Path = readonly (string | number)[];
export type CrossProblem = { readonly path: Path; readonly message: string };

type Placed<T> = { readonly at: number; readonly value: T };

/** `raw` is the file's content after substitution, not yet known to be valid. */
export function crossProblems(raw: unknown): CrossProblem[] {
  const networks = validEntries(member(raw, 'networks'), network);
  const providers = validEntries(member(raw, 'providers'), provider);
  const issuer = identity.safeParse(member(raw, 'identity'));
  return [
    ...(issuer.success ? issuerProblems(issuer.data) : []),
    ...repeated([...networkNames(networks), ...providerNames(providers)]),
    ...networks.flatMap(methodProblems),
  ];
}

function member(raw: unknown, key: string): unknown {
  return typeof raw === 'object' && raw !== null ? Object.getOwnPropertyDescriptor(raw, key)?.value : undefined;
}

function validEntries<Schema extends z.ZodType>(list: unknown, schema: Schema): Placed<z.output<Schema>>[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown, at) => {
    const parsed = schema.safeParse(entry);
    return parsed.success ? [{ at, value: parsed.data }] : [];
  });
}

function issuerProblems({ issuer, jwksUri, allowInsecureIssuer }: z.output<typeof identity>): CrossProblem[] {
  return Object.entries({ issuer, jwksUri })
    .filter(([, url]) => url !== undefined && !allowInsecureIssuer && !isPrivateTransport(new URL(url)))
    .map(([key]) => ({
      path: ['identity', key],
      message: 'must be https unless it is on loopback; identity.allowInsecureIssuer: true accepts plain http',
    }));
}

type Name = { readonly path: Path; readonly name: string };

function networkNames(networks: readonly Placed<z.output<typeof network>>[]): Name[] {
  return networks.flatMap(({ at, value: { dlt, networkId, nodes, default: isDefault } }) => [
    { path: ['networks', at, 'networkId'], name: `network ${dlt}/${networkId}` },
    ...nodes.map(({ nodeId }, nth) => ({
      path: ['networks', at, 'nodes', nth, 'nodeId'],
      name: `node ${dlt}/${nodeId}`,
    })),
    ...(isDefault ? [{ path: ['networks', at, 'default'], name: 'default network' }] : []),
  ]);
}

function providerNames(providers: readonly Placed<z.output<typeof provider>>[]): Name[] {
  return providers.map(({ at, value }) => ({
    path: ['providers', at, 'providerId'],
    name: `provider ${value.providerId}`,
  }));
}

/** Networks, nodes and providers are found by their names, so none may stand twice. */
function repeated(names: readonly Name[]): CrossProblem[] {
  const seen = new Set<string>();
  return names.flatMap(({ path, name }) => {
    if (seen.has(name)) return [{ path, message: `there is already a ${name}` }];
    seen.add(name);
    return [];
  });
}

function methodProblems({ at, value }: Placed<z.output<typeof network>>): CrossProblem[] {
  return value.methods.enable.flatMap((pattern, nth) => {
    const message = enableProblem(evmMethods, pattern);
    return message === undefined ? [] : [{ path: ['networks', at, 'methods', 'enable', nth], message }];
  });
}

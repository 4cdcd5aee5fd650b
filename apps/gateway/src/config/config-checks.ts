/** Problems that involve several keys. The checks read all valid members, so that one mistake hides no other. */

import { contentFilterProblems } from '@flowgate/content-filter/content-filter-settings';
import { isPrivateTransport } from '@flowgate/http1/private-transport';
import { member } from '@flowgate/json/json-object';
import { postgresAddressProblem } from '@flowgate/sql/engine/postgres/postgres-address';
import type { z } from 'zod';
import { bridgeNames, bridgeProblems } from './bridge-checks.ts';
import { identity, keys } from './config.ts';
import { flowKeys } from './flow-keys.ts';
import { networkProblems } from './network-checks.ts';
import { networkKeys, providerKeys } from './network-keys.ts';

type Path = readonly (string | number)[];
export type CrossProblem = { readonly path: Path; readonly message: string };

/** Every member is optional: the schema reports invalid members, which must not hide other problems. */
const someIdentity = identity.partial();
const someNetwork = networkKeys.partial();
const someProvider = providerKeys.partial();
const someKeys = keys.partial();
const someFlow = flowKeys.partial();

type Placed<T> = { readonly at: number; readonly value: T };

/** Whether a module of `flow.embeddedApps` can be found. */
export type HasModule = (path: string) => boolean;

/** `raw` is the file's content after substitution, before validation. */
export function crossProblems(raw: unknown, hasModule: HasModule): CrossProblem[] {
  const issuer = validMembers(member(raw, 'identity'), someIdentity);
  const networks = validEntries(member(raw, 'networks'), someNetwork);
  const providers = validEntries(member(raw, 'providers'), someProvider);
  return [
    ...issuer.flatMap(issuerProblems),
    ...repeated([...networks.flatMap(networkNames), ...providers.flatMap(providerNames), ...bridgeNames(raw)]),
    ...bridgeProblems(raw),
    ...everyNetworkProblem(member(raw, 'networks')),
    ...filterProblems(member(member(raw, 'flow'), 'contentFilter')),
    ...classifierProblems(member(member(member(raw, 'flow'), 'contentFilter'), 'classifier')),
    ...moduleProblems(member(member(raw, 'flow'), 'embeddedApps'), hasModule),
    ...databaseProblems(member(member(raw, 'storage'), 'database')),
    ...workerProblems(member(raw, 'server'), member(raw, 'storage')),
  ];
}

/** Several processes share state only through PostgreSQL and Redis. */
function workerProblems(server: unknown, storage: unknown): CrossProblem[] {
  const workers = Number(member(server, 'workers') ?? 1);
  if (!(workers > 1)) return [];
  const path: Path = ['server', 'workers'];
  const database = member(storage, 'database');
  return [
    ...(process.platform === 'linux' ? [] : [{ path, message: 'must be 1 on systems other than Linux' }]),
    ...(typeof database === 'string' && /^postgres(ql)?:/.test(database)
      ? []
      : [{ path, message: 'must be 1 without PostgreSQL (storage.database)' }]),
    ...(member(storage, 'redis') === undefined
      ? [
          {
            path,
            message: 'must be 1 without Redis (storage.redis), through which workers share limits and revocations',
          },
        ]
      : []),
    ...(Number(member(server, 'port') ?? 1) === 0
      ? [{ path: ['server', 'port'], message: 'must not be 0 with several workers' }]
      : []),
  ];
}

function databaseProblems(database: unknown): CrossProblem[] {
  if (typeof database !== 'string' || !/^postgres(ql)?:\/\/./.test(database)) return [];
  const message = postgresAddressProblem(database);
  return message === undefined ? [] : [{ path: ['storage', 'database'], message }];
}

function moduleProblems(modules: unknown, hasModule: HasModule): CrossProblem[] {
  if (!Array.isArray(modules)) return [];
  return modules.flatMap((path: unknown, nth) =>
    typeof path !== 'string' || path === '' || hasModule(path)
      ? []
      : [
          {
            path: ['flow', 'embeddedApps', nth],
            message: `there is no module ${path} relative to the working directory`,
          },
        ],
  );
}

/** Settings that a gateway accepts although they are unsafe, because keys may already be hashed with such a pepper. `raw` as above. */
export function unsafeSettings(raw: unknown): CrossProblem[] {
  return [
    ...validMembers(member(raw, 'keys'), someKeys).flatMap(pepperProblems),
    ...validMembers(member(raw, 'flow'), someFlow).flatMap(leaseProblems),
  ];
}

const minPepperCharacters = 32;

function pepperProblems({ peppers = [] }: z.output<typeof someKeys>): CrossProblem[] {
  return peppers.flatMap((pepper, nth) => {
    const path: Path = ['keys', 'peppers', nth];
    if (peppers.indexOf(pepper) < nth) return [{ path, message: 'is there twice' }];
    if (pepper.trim().length >= minPepperCharacters) return [];
    return [{ path, message: `must have at least ${minPepperCharacters} random characters` }];
  });
}

/** A lease is renewed while a step runs. A lease shorter than the timeout of an app depends on every renewal. */
function leaseProblems({ leaseSeconds, renderTimeoutSeconds }: z.output<typeof someFlow>): CrossProblem[] {
  if (leaseSeconds === undefined || renderTimeoutSeconds === undefined || leaseSeconds >= renderTimeoutSeconds)
    return [];
  return [{ path: ['flow', 'leaseSeconds'], message: 'must not be shorter than flow.renderTimeoutSeconds' }];
}

function validEntries<Schema extends z.ZodObject>(list: unknown, schema: Schema): Placed<z.output<Schema>>[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown, at) => validMembers(entry, schema).map((value) => ({ at, value })));
}

/** The value if it is an object, otherwise an empty one. */
function validMembers<Schema extends z.ZodObject>(raw: unknown, schema: Schema): z.output<Schema>[] {
  const valid = Object.entries(schema.shape).filter(([key, form]) => form.safeParse(member(raw, key)).success);
  const parsed = schema.safeParse(Object.fromEntries(valid.map(([key]) => [key, member(raw, key)])));
  return parsed.success ? [parsed.data] : [];
}

function issuerProblems({
  issuer,
  jwksUri,
  allowInsecureIssuer = false,
}: z.output<typeof someIdentity>): CrossProblem[] {
  return Object.entries({ issuer, jwksUri })
    .filter(([, url]) => url !== undefined && !allowInsecureIssuer && !isPrivateTransport(new URL(url)))
    .map(([key]) => ({
      path: ['identity', key],
      message: 'must be https unless it is on loopback; identity.allowInsecureIssuer: true accepts plain http',
    }));
}

type Name = { readonly path: Path; readonly name: string };

function networkNames({ at, value }: Placed<z.output<typeof someNetwork>>): Name[] {
  const { dlt, networkId, nodes = [], contracts = [], staking = [], default: isDefault } = value;
  const names: Name[] = isDefault === true ? [{ path: ['networks', at, 'default'], name: 'default network' }] : [];
  for (const [nth, { contractId }] of contracts.entries())
    names.push({ path: ['networks', at, 'contracts', nth, 'contractId'], name: `contract ${contractId}` });
  for (const [nth, { contractId, address }] of staking.entries()) {
    const path: Path = ['networks', at, 'staking', nth];
    names.push({ path: [...path, 'contractId'], name: `contract ${contractId}` });
    names.push({
      path: [...path, 'address'],
      name: `staking contract at ${address.toLowerCase()} on network ${dlt}/${networkId}`,
    });
  }
  for (const [nth, { nodeId }] of nodes.entries())
    names.push({ path: ['networks', at, 'nodes', nth, 'nodeId'], name: `node ${nodeId}` });
  if (dlt === undefined) return names;
  if (networkId !== undefined)
    names.unshift({ path: ['networks', at, 'networkId'], name: `network ${dlt}/${networkId}` });
  return names;
}

function providerNames({ at, value: { providerId } }: Placed<z.output<typeof someProvider>>): Name[] {
  return providerId === undefined ? [] : [{ path: ['providers', at, 'providerId'], name: `provider ${providerId}` }];
}

/** Networks, nodes, contracts and providers are found by their names, which must be unique. */
function repeated(names: readonly Name[]): CrossProblem[] {
  const seen = new Set<string>();
  return names.flatMap(({ path, name }) => {
    if (seen.has(name)) return [{ path, message: `there is already a ${name}` }];
    seen.add(name);
    return [];
  });
}

function everyNetworkProblem(networks: unknown): CrossProblem[] {
  if (!Array.isArray(networks)) return [];
  return networks.flatMap((network: unknown, at) =>
    networkProblems(network).map(({ path, message }) => ({ path: ['networks', at, ...path], message })),
  );
}

/** The schema reports rules without a ruleId or with an invalid one. */
function filterProblems(settings: unknown): CrossProblem[] {
  const disable = member(settings, 'disable');
  const flag = member(settings, 'flag');
  const rules = member(settings, 'rules');
  return contentFilterProblems({
    disable: Array.isArray(disable) ? disable.map(textOrNone) : [],
    flag: Array.isArray(flag) ? flag.map(textOrNone) : [],
    rules: Array.isArray(rules)
      ? rules.map((rule) => ({
          ruleId: textOrNone(member(rule, 'ruleId')),
          pattern: textOrNone(member(rule, 'pattern')),
        }))
      : [],
  }).map(({ path, message }) => ({ path: ['flow', 'contentFilter', ...path], message }));
}

/** The classifier receives texts before any check, and its answers decide which texts pass. */
function classifierProblems(classifier: unknown): CrossProblem[] {
  const url = URL.parse(textOrNone(member(classifier, 'url')));
  if (url === null || !['http:', 'https:'].includes(url.protocol) || isPrivateTransport(url)) return [];
  return [{ path: ['flow', 'contentFilter', 'classifier', 'url'], message: 'must be https unless it is on loopback' }];
}

const textOrNone = (value: unknown): string => (typeof value === 'string' ? value : '');

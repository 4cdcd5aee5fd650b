/** Checks whether bridges and pools fit the networks and each other. Whether their contracts are the right ones is checked on chain (bridge/checks). */

import { member } from '@flowgate/json/json-object';

type Path = readonly (string | number)[];
type Problem = { readonly path: Path; readonly message: string };
type Name = { readonly path: Path; readonly name: string };

/** `raw` is the file's content before validation; invalid members are reported by the schema. */
export function bridgeProblems(raw: unknown): readonly Problem[] {
  const networks = familiesOf(member(raw, 'networks'));
  const bridges = entriesOf(member(raw, 'bridges'));
  const pools = entriesOf(member(raw, 'swaps'));
  return [
    ...bridges.flatMap(([at, bridge]) => sideProblems(['bridges', at], bridge, networks)),
    ...bridges.flatMap(([at, bridge]) => sameSideProblems(['bridges', at], bridge)),
    ...pools.flatMap(([at, pool]) => placeProblems(['swaps', at, 'networkId'], pool, networks)),
  ];
}

/** Names that must be unique; `raw` as above. */
export function bridgeNames(raw: unknown): readonly Name[] {
  const bridges = entriesOf(member(raw, 'bridges')).flatMap(([at, bridge]) => namesOfBridge(['bridges', at], bridge));
  const pools = entriesOf(member(raw, 'swaps')).flatMap(([at, pool]) => namesOfPool(['swaps', at], pool));
  return [...bridges, ...pools];
}

function namesOfBridge(path: Path, bridge: unknown): readonly Name[] {
  const bridgeId = member(bridge, 'bridgeId');
  const l1 = nameOf(member(bridge, 'l1'));
  const portal = lowerCase(member(member(bridge, 'contracts'), 'portal'));
  return [
    ...(typeof bridgeId === 'string' ? [{ path: [...path, 'bridgeId'], name: `bridge ${bridgeId}` }] : []),
    ...(l1 !== undefined && portal !== undefined
      ? [{ path: [...path, 'contracts', 'portal'], name: `bridge with the portal ${portal} on network ${l1}` }]
      : []),
    ...entriesOf(member(bridge, 'tokens')).flatMap(([nth, pair]) => {
      const l2 = lowerCase(member(pair, 'l2'));
      const name = `pair of the token ${l2} in bridge ${textOf(bridgeId)}`;
      return l2 === undefined ? [] : [{ path: [...path, 'tokens', nth, 'l2'], name }];
    }),
  ];
}

function namesOfPool(path: Path, pool: unknown): readonly Name[] {
  const poolId = member(pool, 'poolId');
  const place = nameOf(pool);
  const address = lowerCase(member(pool, 'address'));
  return [
    ...(typeof poolId === 'string' ? [{ path: [...path, 'poolId'], name: `pool ${poolId}` }] : []),
    ...(place !== undefined && address !== undefined
      ? [{ path: [...path, 'address'], name: `pool at ${address} on network ${place}` }]
      : []),
  ];
}

function sideProblems(path: Path, bridge: unknown, networks: ReadonlyMap<string, string>): readonly Problem[] {
  return ['l1', 'l2'].flatMap((side) => placeProblems([...path, side], member(bridge, side), networks));
}

function sameSideProblems(path: Path, bridge: unknown): readonly Problem[] {
  const [l1, l2] = [nameOf(member(bridge, 'l1')), nameOf(member(bridge, 'l2'))];
  return l1 !== undefined && l1 === l2
    ? [{ path: [...path, 'l2'], message: 'must be a different network from l1' }]
    : [];
}

function placeProblems(path: Path, place: unknown, networks: ReadonlyMap<string, string>): readonly Problem[] {
  const name = nameOf(place);
  if (name === undefined) return [];
  const family = networks.get(name);
  if (family === undefined) return [{ path, message: `there is no network ${name}` }];
  return family === 'evm' ? [] : [{ path, message: `must be of the family evm: ${name} is of the family ${family}` }];
}

/** Of each network, by `dlt/networkId`. */
function familiesOf(networks: unknown): ReadonlyMap<string, string> {
  return new Map(
    entriesOf(networks).flatMap(([, network]) => {
      const name = nameOf(network);
      return name === undefined ? [] : [[name, textOf(member(network, 'family') ?? 'evm')] as const];
    }),
  );
}

function entriesOf(list: unknown): readonly (readonly [at: number, entry: unknown])[] {
  return Array.isArray(list) ? list.map((entry: unknown, at) => [at, entry] as const) : [];
}

function nameOf(place: unknown): string | undefined {
  const [dlt, networkId] = [member(place, 'dlt'), member(place, 'networkId')];
  return typeof dlt === 'string' && typeof networkId === 'string' ? `${dlt}/${networkId}` : undefined;
}

function lowerCase(address: unknown): string | undefined {
  return typeof address === 'string' ? address.toLowerCase() : undefined;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

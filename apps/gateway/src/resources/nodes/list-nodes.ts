/** The nodes that a caller may see: own ones, newest first, then shared ones and those of the operator (contract/nodes#listing). */

import { identifierForm } from '@flowgate/base/identifier';
import { isTypeId } from '@flowgate/base/ids';
import { pageOf, parsePage } from '@flowgate/base/page';
import { ok, type Result, refused } from '@flowgate/base/result';
import type { BodyOf } from '@flowgate/body-schema/body-schema';
import type { Caller } from '../../api/caller.ts';
import type { Firewall, GuardedResource, RulesOutcome } from '../../api/firewall.ts';
import { readRefusal } from '../../api/permitted-reads.ts';
import type { MayCall } from './may-call.ts';
import type { NodeFilter, NodeRecord, NodeStore } from './node-store.ts';
import {
  type administeredNode,
  type administeredNodePage,
  type node,
  type nodePage,
  nodeView,
  type OperatorNode,
  operatorNodeFacts,
  operatorNodeView,
  type PrivateFacts,
} from './node-wire.ts';
import type { RegisteredNodes } from './registered-nodes.ts';

export type ListNodesDeps = {
  readonly store: Pick<NodeStore, 'find' | 'findAll' | 'list'>;
  readonly registered: Pick<RegisteredNodes, 'all' | 'cordoned' | 'figuresOf'>;
  readonly mayCall: MayCall;
  readonly firewall: Firewall;
  /** In the order of the configuration. */
  readonly operatorNodes: readonly OperatorNode[];
  /** The URL in clear text; undefined when it cannot be decrypted. */
  readonly openUrl: (record: NodeRecord) => string | undefined;
  readonly startedAtMs: number;
};

type View = BodyOf<typeof node>;
export type AdministeredView = BodyOf<typeof administeredNode>;

export const noSuchNode = refused(
  'not-found',
  'This gateway has no such node: GET /nodes lists those that you may call.',
);

/** The sections of a list, in order. Own nodes come from the store, page by page; the others are in memory. */
const places: readonly string[] = ['own', 'open', 'operator'];
type Entry = { readonly place: 'own' | 'open' | 'operator'; readonly atMs: number; readonly nodeId: string };

/** Throws `Unavailable` when the store is unavailable. */
export async function listNodes(
  deps: ListNodesDeps,
  caller: Caller,
  query: URLSearchParams,
): Promise<Result<BodyOf<typeof nodePage>, 'bad-request' | 'unavailable'>> {
  const rules = await rulesOf(deps, caller);
  if (rules === 'unavailable') return policiesUnknown;
  const isAllowed = (node: GuardedNode) =>
    rules === undefined || resourcesOf(node).every((each) => rules.allows(each, {}));
  return paged(deps, query, {
    ownerId: caller.userId,
    isListed: isAllowed,
    others: (filter) => [...openTo(deps, caller, filter), ...operatorEntries(deps, filter)],
    view: (record) => viewOf(deps, caller, record),
    operatorView: (operator) => operatorView(deps, operator),
  });
}

const policiesUnknown = refused('unavailable', 'The policies that apply cannot be read at the moment: retry later.');

type GuardedNode = {
  readonly nodeId: string;
  readonly dlt: string;
  readonly networkId: string;
  readonly ownerId?: string;
};

/** A policy on a network also applies to its nodes. */
function resourcesOf({ nodeId, dlt, networkId, ownerId }: GuardedNode): readonly GuardedResource[] {
  return [
    { kind: 'network', key: `${dlt}/${networkId}` },
    { kind: 'node', key: nodeId, ownerId },
  ];
}

/** The policies of all owners of nodes, which are in memory afterwards. Undefined: no policies exist. */
async function rulesOf({ firewall, registered }: ListNodesDeps, caller: Caller): Promise<RulesOutcome | undefined> {
  if (firewall.isIdle) return undefined;
  const owners = new Set<string>();
  for (const { ownerId } of registered.all()) owners.add(ownerId);
  return firewall.rulesFor(caller, [...owners]);
}

/** All users' nodes, newest first, then those of the operator; for administrators. */
export function listEveryNode(
  deps: ListNodesDeps,
  query: URLSearchParams,
): Promise<Result<BodyOf<typeof administeredNodePage>, 'bad-request'>> {
  return paged(deps, query, {
    ownerId: undefined,
    isListed: () => true,
    others: (filter) => operatorEntries(deps, filter),
    view: (record) => administeredView(deps, record),
    operatorView: (operator) => administeredOperatorView(deps, operator),
  });
}

/** One node; `not-found` for every caller who may not call it, administrators included. `denied`: by a policy, to a caller who sees it. */
export async function findNode(
  deps: ListNodesDeps,
  caller: Caller,
  nodeId: string,
): Promise<Result<View, 'not-found' | 'denied' | 'unavailable'>> {
  const operator = deps.operatorNodes.find((each) => each.nodeId === nodeId);
  if (operator !== undefined)
    return (await readRefusal(deps.firewall, caller, resourcesOf(operator))) ?? ok(operatorView(deps, operator));
  const record = isTypeId('node', nodeId) ? await deps.store.find(nodeId) : undefined;
  if (record === undefined) return noSuchNode;
  const denied = await readRefusal(deps.firewall, caller, resourcesOf(record));
  // The owner's policies are in memory now.
  const isVisible = record.ownerId === caller.userId || deps.mayCall(caller, record);
  return isVisible ? (denied ?? ok(viewOf(deps, caller, record))) : noSuchNode;
}

type Facts = Pick<ListNodesDeps, 'openUrl' | 'registered'>;

export function viewOf(parts: Facts, { userId }: Caller, record: NodeRecord): View {
  return nodeView(record, record.ownerId === userId ? factsOf(parts, record) : undefined);
}

export function administeredView(parts: Facts, record: NodeRecord): AdministeredView {
  return { ...nodeView(record, factsOf(parts, record)), cordoned: record.cordoned, ownerId: record.ownerId };
}

function factsOf({ openUrl, registered }: Facts, record: NodeRecord): PrivateFacts {
  return { url: openUrl(record), figures: registered.figuresOf(record.nodeId) };
}

function operatorView({ registered, startedAtMs }: ListNodesDeps, node: OperatorNode): View {
  return operatorNodeView(node, { cordoned: registered.cordoned().has(node.nodeId), startedAtMs });
}

export function administeredOperatorView(
  { registered, startedAtMs }: ListNodesDeps,
  node: OperatorNode,
): AdministeredView {
  const cordoned = registered.cordoned().has(node.nodeId);
  return { ...operatorNodeView(node, { cordoned, startedAtMs }), ...operatorNodeFacts(node), cordoned };
}

type ListOf<V> = {
  /** Whether policies leave the node in the list. */
  readonly isListed: (node: GuardedNode) => boolean;
  /** The owner of the nodes from the store; undefined: all users. */
  readonly ownerId: string | undefined;
  /** The sections after the store's nodes. */
  readonly others: (filter: NodeFilter) => readonly Entry[];
  readonly view: (record: NodeRecord) => V;
  readonly operatorView: (node: OperatorNode) => V;
};

const placeForm = /^(own|open|operator):(.+)$/;

function isPlace(id: string): boolean {
  const [, place, nodeId = ''] = placeForm.exec(id) ?? [];
  return place === 'operator' ? identifierForm.test(nodeId) : isTypeId('node', nodeId);
}

/** `?dlt=` and `?networkId=` narrow the list. The cursor is the position of a node, which need not exist any more. */
async function paged<V>(deps: ListNodesDeps, query: URLSearchParams, list: ListOf<V>) {
  const filter = parseFilter(query);
  if (!filter.ok) return filter;
  const page = parsePage(query, { defaultLimit: 20, isId: isPlace });
  if (!page.ok) return page;
  const { limit, after } = page.value;
  const [, from = 'own', nodeId = ''] = placeForm.exec(after?.id ?? '') ?? [];
  const place = after && { place: from, atMs: after.atMs, nodeId };
  // One more than the page shows that a next page exists.
  const own = from === 'own' ? await ownRecords(deps, list.ownerId, filter.value, limit + 1, place) : [];
  const others = list.others(filter.value).filter((entry) => place === undefined || isPast(entry, place));
  const entries: readonly Entry[] = [...own.map((record) => entryOf('own', record)), ...others];
  const shown = entries.slice(0, limit);
  const open = await deps.store.findAll(shown.flatMap((each) => (each.place === 'open' ? [each.nodeId] : [])));
  const records = new Map([...own, ...open].map((record) => [record.nodeId, record]));
  const operators = new Map(deps.operatorNodes.map((each) => [each.nodeId, each]));
  const views = shown.flatMap((each): V[] => {
    const [record, operator] = [records.get(each.nodeId), operators.get(each.nodeId)];
    if (each.place === 'operator')
      return operator === undefined || !list.isListed(operator) ? [] : [list.operatorView(operator)];
    return record === undefined || !list.isListed(record) ? [] : [list.view(record)];
  });
  const last = shown.at(-1);
  const more = entries.length > limit && last !== undefined;
  return ok(pageOf(views, more ? { atMs: last.atMs, id: `${last.place}:${last.nodeId}` } : undefined));
}

/** From the store, so that every gateway lists a new node at once. */
async function ownRecords(
  { store }: ListNodesDeps,
  ownerId: string | undefined,
  filter: NodeFilter,
  limit: number,
  after: { readonly atMs: number; readonly nodeId: string } | undefined,
): Promise<readonly NodeRecord[]> {
  const position = after === undefined ? {} : { after: { atMs: after.atMs, id: after.nodeId } };
  return (await store.list(ownerId, filter, { limit, ...position })).records;
}

/** Nodes of other users that the caller may call, newest first. */
function openTo({ registered, mayCall }: ListNodesDeps, caller: Caller, filter: NodeFilter): readonly Entry[] {
  const found: Entry[] = [];
  for (const { record } of registered.all())
    if (record.ownerId !== caller.userId && matches(record, filter) && mayCall(caller, record))
      found.push(entryOf('open', record));
  return found.sort((a, b) => b.atMs - a.atMs || (a.nodeId < b.nodeId ? 1 : -1));
}

/** Ordered by position in the configuration, which replaces the creation time. */
function operatorEntries({ operatorNodes }: ListNodesDeps, filter: NodeFilter): readonly Entry[] {
  return operatorNodes.flatMap((each, atMs): Entry[] =>
    matches(each, filter) ? [{ place: 'operator', atMs, nodeId: each.nodeId }] : [],
  );
}

function entryOf(place: Entry['place'], { createdAtMs, nodeId }: NodeRecord): Entry {
  return { place, atMs: createdAtMs, nodeId };
}

function isPast(
  entry: Entry,
  after: { readonly place: string; readonly atMs: number; readonly nodeId: string },
): boolean {
  if (entry.place !== after.place) return places.indexOf(entry.place) > places.indexOf(after.place);
  if (entry.place === 'operator') return entry.atMs > after.atMs;
  return entry.atMs < after.atMs || (entry.atMs === after.atMs && entry.nodeId < after.nodeId);
}

function matches(
  { dlt, networkId }: { readonly dlt: string; readonly networkId: string },
  wanted: NodeFilter,
): boolean {
  return (wanted.dlt ?? dlt) === dlt && (wanted.networkId ?? networkId) === networkId;
}

function parseFilter(query: URLSearchParams): Result<NodeFilter, 'bad-request'> {
  const doubled = ['dlt', 'networkId'].filter((name) => query.getAll(name).length > 1);
  if (doubled.length > 0)
    return refused('bad-request', doubled.map((name) => `${name} must be given at most once`).join('; '));
  return ok({ dlt: query.get('dlt') ?? undefined, networkId: query.get('networkId') ?? undefined });
}

/**
 * A registered node as calls see it: opened when it is first called, pinned to a vetted address, closed when no one calls it (docs/decisions/0073). Longer than other
 * files, because what a call may reach is decided in one place.
 */

import type { Clock } from '@flowgate/base/clock';
import type { SafeFetch } from '@flowgate/http1/safe-fetch/safe-fetch';
import { createRedactor } from '@flowgate/telemetry/redaction/redactor';
import type { Network } from '../../upstream/networks/network.ts';
import type { Node } from '../../upstream/networks/network-nodes.ts';
import type { OpenOneNode } from '../../upstream/networks/node-opener.ts';
import { nodeSecrets } from '../../upstream/networks/node-secrets.ts';
import type {
  BatchAnswer,
  CallTerms,
  NodeAnswer,
  NodeBatch,
  NodeCall,
  NodePort,
} from '../../upstream/port/node-port.ts';
import type { NodeStatus } from '../../upstream/port/node-status.ts';
import type { FailedTry, TryReply } from '../../upstream/port/node-transport.ts';
import { lastTier, type PooledNode } from '../../upstream/routing/candidates.ts';
import type { Ticket } from '../../upstream/routing/circuit-breaker.ts';
import type { NodeFigures } from '../../upstream/routing/node-figures.ts';
import { NodeLoad } from '../../upstream/routing/node-load.ts';
import { createChangingPool, type NodePoolDeps } from '../../upstream/routing/node-pool.ts';
import type { WatchedNode } from '../../upstream/routing/watched-node.ts';
import type { MayCall } from './may-call.ts';
import type { NodeRecord } from './node-store.ts';

export type LiveNodeDeps = {
  readonly addressesOf: SafeFetch['addressesOf'];
  readonly openOneNode: OpenOneNode;
  /** The URL in clear text; undefined when it cannot be decrypted. */
  readonly openUrl: (record: NodeRecord) => string | undefined;
  readonly mayCall: MayCall;
  readonly poolDeps: NodePoolDeps;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Told when it opens a transport, so that somebody closes it when it is idle. */
  readonly opened: (node: LiveNode) => void;
};

/** A transport that is pinned to one vetted address. */
type Pinned = {
  readonly watched: WatchedNode;
  readonly close: () => void;
  readonly address: string;
  vettedUntilMs: number;
  inFlight: number;
  /** It gets no new calls, and is closed after its last one. */
  retired: boolean;
};

/** For so long an address that was vetted is used without another look: a node's host may move, and no connection stays longer than its calls. */
const vettedForMs = 30_000;
/** Former URLs that errors of calls in flight may still hold. Each change asks the new node first, so there are no more within the time of a call. */
const maxFormer = 8;
/** For the resolution of its host. */
const resolveTimeoutMs = 3_000;

const unreachable = (detail: string): FailedTry => ({
  ok: false,
  fault: 'connect',
  failure: 'unreachable',
  maybeDelivered: false,
  detail,
});

/** Says nothing about the node: other nodes of a pool are asked instead. */
const refusedHere = (detail: string): FailedTry => ({ ...unreachable(detail), fault: 'released' });

export class LiveNode implements PooledNode, Node {
  readonly pool: NodePort;
  readonly tier = lastTier;
  readonly load = new NodeLoad();
  usedAtMs = Number.NEGATIVE_INFINITY;
  #record: NodeRecord;
  #pinned: Pinned | undefined;
  #pinning: Promise<Pinned | FailedTry> | undefined;
  /** The address that last failed to connect: another one is tried first. */
  #avoided: string | undefined;
  #isGone = false;
  /** Of its URL, once they were wanted; and of those that it had before, newest first. */
  #secrets: readonly string[] | undefined;
  #formerSecrets: readonly (readonly string[])[] = [];
  #hide: ((text: string) => string) | undefined;

  constructor(
    record: NodeRecord,
    readonly network: Network,
    private readonly deps: LiveNodeDeps,
  ) {
    this.#record = record;
    this.pool = createChangingPool(this, deps.poolDeps);
  }

  get record(): NodeRecord {
    return this.#record;
  }

  get nodeId(): string {
    return this.#record.nodeId;
  }

  get ownerId(): string {
    return this.#record.ownerId;
  }

  get dlt(): string {
    return this.#record.dlt;
  }

  get networkId(): string {
    return this.#record.networkId;
  }

  /** The members of its own pool: none while it is cordoned. */
  get nodes(): readonly PooledNode[] {
    return this.#record.cordoned ? [] : [this];
  }

  /** As the leader last found it. */
  status = (): NodeStatus => {
    const { status, latencyMs, checkedAtMs } = this.#record;
    // The height is stored more often than it is loaded, and would be an old one.
    return {
      status,
      ...(latencyMs === undefined ? {} : { latencyMs }),
      ...(checkedAtMs === undefined ? {} : { checkedAtMs }),
    };
  };

  figures = (): NodeFigures => ({
    ...this.load.recent.figures(this.deps.poolDeps.clock.monotonic()),
    circuit: this.#pinned?.watched.circuit() ?? { state: 'closed' },
  });

  /** Puts in force what was stored. Calls in flight finish where they are. */
  follow(record: NodeRecord): void {
    const isMoved = record.sealedUrl !== this.#record.sealedUrl;
    // A call in flight may still be answered with the former address in its error.
    if (isMoved) {
      if (this.#secrets !== undefined || this.usedAtMs !== Number.NEGATIVE_INFINITY)
        this.#formerSecrets = [this.#presentSecrets(), ...this.#formerSecrets].slice(0, maxFormer);
      this.#secrets = undefined;
      this.#hide = undefined;
    }
    this.#record = record;
    if (!isMoved) return;
    this.load.recent.clear();
    this.#retire();
  }

  /** It was removed: it gets no new calls. */
  remove(): void {
    this.#isGone = true;
    this.#retire();
  }

  get isOpen(): boolean {
    return this.#pinned !== undefined;
  }

  /** Whether it has a transport that no call uses. */
  get isIdle(): boolean {
    return this.#pinned !== undefined && this.#pinned.inFlight === 0;
  }

  /** Closes its transport once no call uses it; the next call opens another one. */
  rest(): void {
    this.#retire();
  }

  /** Fails calls in flight: for the end of the process. */
  close(): void {
    this.#isGone = true;
    this.#pinned?.close();
    this.#pinned = undefined;
  }

  send(call: NodeCall): Promise<TryReply<NodeAnswer>> {
    return this.#carry(call, (watched, terms) => watched.send(terms));
  }

  sendBatch(batch: NodeBatch): Promise<TryReply<BatchAnswer>> {
    return this.#carry(batch, (watched, terms) => watched.sendBatch(terms));
  }

  head(): number | undefined {
    return this.#pinned?.watched.head();
  }

  isCircuitOpen(): boolean {
    return this.#pinned?.watched.isCircuitOpen() === true;
  }

  isDue(nowMs: number): boolean {
    return this.#pinned?.watched.isDue(nowMs) === true;
  }

  coolDownMs(): number {
    return this.#pinned?.watched.coolDownMs() ?? 0;
  }

  hasFailedLast(): boolean {
    return this.#pinned?.watched.hasFailedLast() === true;
  }

  isUnhealthy(): boolean {
    return this.#record.status === 'unhealthy';
  }

  /** No one measures it by the operator's nodes: its heads come too seldom. */
  isBehind(): boolean {
    return false;
  }

  /** No call goes to a node that was found on another chain, here or by the leader. A removed one refuses by itself: an answer that was in progress counts. */
  isOut(): boolean {
    return this.#record.isOnOtherChain || this.#pinned?.watched.isOut() === true;
  }

  take(nowMs: number): Ticket {
    return this.#pinned?.watched.take(nowMs) ?? 0;
  }

  note(reply: TryReply<unknown>, ticket: Ticket): void {
    this.#pinned?.watched.note(reply, ticket);
  }

  drop(ticket: Ticket): void {
    this.#pinned?.watched.drop(ticket);
  }

  /** Removes its address and the provider's key from a text that it sent. */
  hideSecrets(text: string): string {
    // Nothing was ever asked of it.
    if (this.usedAtMs === Number.NEGATIVE_INFINITY) return text;
    this.#hide ??= createRedactor(this.secrets());
    return this.#hide(text);
  }

  /** Those of its URL, and of former ones that an error of a call in flight may still hold. */
  secrets(): readonly string[] {
    return [...this.#presentSecrets(), ...this.#formerSecrets.flat()];
  }

  #presentSecrets(): readonly string[] {
    this.#secrets ??= secretsOf(this.deps.openUrl(this.#record));
    return this.#secrets;
  }

  #carry<Call extends CallTerms, Answer>(
    call: Call,
    ask: (watched: WatchedNode, call: Call) => Promise<TryReply<Answer>>,
  ): Promise<TryReply<Answer>> {
    const nowMs = this.deps.clock.monotonic();
    const refusal = this.#refusal(call);
    if (refusal !== undefined) return Promise.resolve(refusal);
    const pinned = this.#pinned;
    if (pinned !== undefined && nowMs < pinned.vettedUntilMs) return this.#through(pinned, call, ask);
    return this.#pin().then((ready) => {
      if ('fault' in ready) return ready;
      const spentMs = this.deps.clock.monotonic() - nowMs;
      const { timeoutMs } = call;
      return (
        this.#refusal(call) ??
        this.#through(
          ready,
          timeoutMs === undefined ? call : { ...call, timeoutMs: Math.max(1, timeoutMs - spentMs) },
          ask,
        )
      );
    });
  }

  /** A call may begin long after its node was looked up: its body was read meanwhile. */
  #refusal({ caller }: CallTerms): FailedTry | undefined {
    if (this.#isGone) return refusedHere('was removed');
    const user = caller?.caller;
    // What the gateway itself asks, such as what became of a payment, is no question for somebody's node.
    if (user === undefined) return refusedHere("is no node for the gateway's own questions");
    return this.deps.mayCall(user, this.#record) ? undefined : refusedHere('is no longer open to this caller');
  }

  async #through<Call, Answer>(
    pinned: Pinned,
    call: Call,
    ask: (watched: WatchedNode, call: Call) => Promise<TryReply<Answer>>,
  ): Promise<TryReply<Answer>> {
    pinned.inFlight++;
    try {
      const reply = await ask(pinned.watched, call);
      if (!reply.ok && reply.fault === 'connect' && !reply.maybeDelivered) {
        this.#avoided = pinned.address;
        pinned.vettedUntilMs = 0;
      }
      return reply;
    } finally {
      pinned.inFlight--;
      this.usedAtMs = this.deps.clock.monotonic();
      if (pinned.retired && pinned.inFlight === 0) pinned.close();
    }
  }

  #pin(): Promise<Pinned | FailedTry> {
    this.#pinning ??= this.#pinNow().finally(() => {
      this.#pinning = undefined;
    });
    return this.#pinning;
  }

  /** Vets the host's addresses again. While they cannot be resolved, the address that was vetted before stays in use. */
  async #pinNow(): Promise<Pinned | FailedTry> {
    const record = this.#record;
    const url = this.deps.openUrl(record);
    if (url === undefined) return unreachable('its URL cannot be decrypted');
    const vouched = record.kind === 'private';
    const addresses = await this.deps.addressesOf({ url, vouched, timeoutMs: resolveTimeoutMs });
    // Meanwhile it may have been removed, or have got another URL.
    if (this.#isGone || record.sealedUrl !== this.#record.sealedUrl) return unreachable('was changed meanwhile');
    const kept = this.#pinned;
    const untilMs = this.deps.clock.monotonic() + vettedForMs;
    if ('failure' in addresses) {
      if (addresses.failure === 'forbidden') this.#retire();
      else if (kept !== undefined) {
        kept.vettedUntilMs = untilMs;
        return kept;
      }
      return unreachable(addresses.detail);
    }
    const wanted = addresses.filter((address) => address !== this.#avoided);
    if (kept !== undefined && wanted.includes(kept.address)) {
      kept.vettedUntilMs = untilMs;
      return kept;
    }
    const [address] = wanted.length > 0 ? wanted : addresses;
    if (address === undefined) return unreachable('its host has no address');
    this.#avoided = undefined;
    this.#retire();
    return this.#open(record, url, address, untilMs);
  }

  #open(record: NodeRecord, url: string, address: string, vettedUntilMs: number): Pinned {
    const settings = { nodeId: record.nodeId, url, address, headers: {} };
    const { watched, close } = this.deps.openOneNode(settings, this.network.chain);
    const pinned = { watched, close, address, vettedUntilMs, inFlight: 0, retired: false };
    this.#pinned = pinned;
    this.usedAtMs = this.deps.clock.monotonic();
    this.deps.opened(this);
    return pinned;
  }

  #retire(): void {
    const pinned = this.#pinned;
    this.#pinned = undefined;
    if (pinned === undefined) return;
    pinned.retired = true;
    if (pinned.inFlight === 0) pinned.close();
  }
}

function secretsOf(url: string | undefined): readonly string[] {
  return url === undefined ? [] : nodeSecrets({ url, headers: {} });
}

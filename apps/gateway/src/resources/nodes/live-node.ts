/**
 * A registered node for calls: its transport opens at the first call, is pinned to a vetted address, and closes when idle (docs/decisions/0073). It decides
 * in one place what a call may reach.
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
  /** Called when the node opens a transport, so that idle ones can be closed. */
  readonly opened: (node: LiveNode) => void;
};

/** A transport that is pinned to one vetted address. */
type Pinned = {
  readonly watched: WatchedNode;
  readonly close: () => void;
  readonly address: string;
  vettedUntilMs: number;
  inFlight: number;
  /** It gets no new calls and is closed after its last one. */
  retired: boolean;
};

/** How long a vetted address is used without resolving the host again. A host may move, and no connection lives longer than its calls. */
const vettedForMs = 30_000;
/** Former URLs that errors of calls in flight may still contain. Each change asks the new node first, so there are no more within the time of a call. */
const maxFormer = 8;
/** The timeout for resolving the host. */
const resolveTimeoutMs = 3_000;

const unreachable = (detail: string): FailedTry => ({
  ok: false,
  fault: 'connect',
  failure: 'unreachable',
  maybeDelivered: false,
  detail,
});

/** Says nothing about the node: the pool calls other nodes instead. */
const refusedHere = (detail: string): FailedTry => ({ ...unreachable(detail), fault: 'released' });

export class LiveNode implements PooledNode, Node {
  readonly pool: NodePort;
  readonly tier = lastTier;
  readonly load = new NodeLoad();
  usedAtMs = Number.NEGATIVE_INFINITY;
  #record: NodeRecord;
  #pinned: Pinned | undefined;
  #pinning: Promise<Pinned | FailedTry> | undefined;
  /** The address to which connecting failed last: another one is tried first. */
  #avoided: string | undefined;
  #isGone = false;
  /** The secrets of its URL, once computed; and those of its former URLs, newest first. */
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

  /** The status that the leader found last. */
  status = (): NodeStatus => {
    const { status, latencyMs, checkedAtMs } = this.#record;
    // The stored height changes more often than it is loaded, so it would be out of date.
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

  /** Applies a stored record. Calls in flight finish on the old transport. */
  follow(record: NodeRecord): void {
    const isMoved = record.sealedUrl !== this.#record.sealedUrl;
    // A call in flight may still return an error with the former address.
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

  /** The node was removed: it gets no new calls. */
  remove(): void {
    this.#isGone = true;
    this.#retire();
  }

  get isOpen(): boolean {
    return this.#pinned !== undefined;
  }

  /** Whether it has a transport without calls in flight. */
  get isIdle(): boolean {
    return this.#pinned !== undefined && this.#pinned.inFlight === 0;
  }

  /** Closes its transport when no call uses it; the next call opens another one. */
  rest(): void {
    this.#retire();
  }

  /** Fails calls in flight, at the end of the process. */
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

  /** Its lag behind the operator's nodes is not measured, because its heads are read too seldom. */
  isBehind(): boolean {
    return false;
  }

  /**
   * No call goes to a node that this gateway or the leader found on another chain. A removed node refuses by itself; the answer of a call in flight counts.
   */
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

  /** Removes its address and the provider's key from a text that the node sent. */
  hideSecrets(text: string): string {
    // No call was ever sent to it.
    if (this.usedAtMs === Number.NEGATIVE_INFINITY) return text;
    this.#hide ??= createRedactor(this.secrets());
    return this.#hide(text);
  }

  /** The secrets of its URL, and of former URLs that an error of a call in flight may still contain. */
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

  /** A call may begin long after its node was looked up, because its body was read meanwhile. */
  #refusal({ caller }: CallTerms): FailedTry | undefined {
    if (this.#isGone) return refusedHere('was removed');
    const user = caller?.caller;
    // The gateway's own calls, such as for the outcome of a payment, must not go to a user's node.
    if (user === undefined) return refusedHere("does not answer the gateway's own calls");
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

  /** Vets the host's addresses again. While they cannot be resolved, the vetted address stays in use. */
  async #pinNow(): Promise<Pinned | FailedTry> {
    const record = this.#record;
    const url = this.deps.openUrl(record);
    if (url === undefined) return unreachable('its URL cannot be decrypted');
    const vouched = record.kind === 'private';
    const addresses = await this.deps.addressesOf({ url, vouched, timeoutMs: resolveTimeoutMs });
    // Meanwhile the node may have been removed or have received another URL.
    if (this.#isGone || record.sealedUrl !== this.#record.sealedUrl) return unreachable('was changed during the call');
    const current = this.#pinned;
    const untilMs = this.deps.clock.monotonic() + vettedForMs;
    if ('failure' in addresses) {
      if (addresses.failure === 'forbidden') this.#retire();
      else if (current !== undefined) {
        current.vettedUntilMs = untilMs;
        return current;
      }
      return unreachable(addresses.detail);
    }
    const wanted = addresses.filter((address) => address !== this.#avoided);
    if (current !== undefined && wanted.includes(current.address)) {
      current.vettedUntilMs = untilMs;
      return current;
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

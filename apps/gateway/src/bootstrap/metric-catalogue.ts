/** Every metric that a gateway exposes: one table, from which docs/metrics.md is made. Labels take their values from closed sets. */

import type { MetricDescription } from '@flowgate/telemetry/metrics/registry';
import type { MetricKind } from '@flowgate/telemetry/metrics/snapshot';

/** In seconds. From what the gateway answers by itself to the longest time that a node may take. */
const requestBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** In seconds. From a cached read to the longest deadline of a statement. */
const storeBounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
/** In seconds. */
const loopBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

export const metricCatalogue = {
  requests: {
    name: 'flowgate_requests_total',
    kind: 'counter',
    help: 'Requests that were answered, by the surface that they came to and how they ended.',
    labels: ['surface', 'outcome'],
  },
  requestSeconds: {
    name: 'flowgate_request_duration_seconds',
    kind: 'histogram',
    help: 'Time from the head of a request until its answer was ready; of a stream, until it began.',
    labels: ['surface'],
    bounds: requestBounds,
  },
  limited: {
    name: 'flowgate_limited_total',
    kind: 'counter',
    help: 'Requests over a limit: the caller’s own (requests), or that of an address for invalid credentials (credentials).',
    labels: ['surface', 'limit'],
  },
  connections: {
    name: 'flowgate_connections',
    kind: 'gauge',
    help: 'Connections of callers that are open.',
    labels: [],
  },
  waitingBytes: {
    name: 'flowgate_waiting_bytes',
    kind: 'gauge',
    help: 'Bytes that wait on connections of callers: requests that are not read yet and answers that are not fetched, in steps of 16 KiB.',
    labels: [],
  },
  waitingRefused: {
    name: 'flowgate_waiting_refused_total',
    kind: 'counter',
    help: 'Connections that were closed because what waits on them found no room, by the bound that it met.',
    labels: ['bound'],
  },
  webSocketConnections: {
    name: 'flowgate_websocket_connections',
    kind: 'gauge',
    help: 'WebSocket connections of callers that are open.',
    labels: [],
  },
  webSocketSubscriptions: {
    name: 'flowgate_websocket_subscriptions',
    kind: 'gauge',
    help: 'Subscriptions of callers that run, by what they are told.',
    labels: ['kind'],
  },
  nodeRequests: {
    name: 'flowgate_node_requests_total',
    kind: 'counter',
    help: 'Tries to get a call or a batch answered by a node, and how they ended.',
    labels: ['network', 'node', 'outcome'],
  },
  nodeState: {
    name: 'flowgate_node_state',
    kind: 'gauge',
    help: '1 for the state that a node is in: healthy, unhealthy by its checks, resting because its calls failed or it asked for that, or out because it is on another chain.',
    labels: ['network', 'node', 'state'],
  },
  nodeHead: {
    name: 'flowgate_node_head',
    kind: 'gauge',
    help: 'Height of the newest block that a node has told; absent until it has told one.',
    labels: ['network', 'node'],
  },
  cacheHits: {
    name: 'flowgate_cache_hits_total',
    kind: 'counter',
    help: 'JSON-RPC calls of callers that were answered from memory.',
    labels: ['network'],
  },
  cacheMisses: {
    name: 'flowgate_cache_misses_total',
    kind: 'counter',
    help: 'JSON-RPC calls to methods whose answers may be kept that a node was asked.',
    labels: ['network'],
  },
  cacheCoalesced: {
    name: 'flowgate_cache_coalesced_total',
    kind: 'counter',
    help: 'JSON-RPC calls of callers that got the answer to an equal call of another one, which was under way.',
    labels: ['network'],
  },
  cacheBytes: {
    name: 'flowgate_cache_bytes',
    kind: 'gauge',
    help: 'Memory that kept answers take.',
    labels: ['network'],
  },
  storeSeconds: {
    name: 'flowgate_store_duration_seconds',
    kind: 'histogram',
    help: 'Time that an operation of a store took, whether it succeeded or not.',
    labels: ['engine', 'operation'],
    bounds: storeBounds,
  },
  leader: {
    name: 'flowgate_leader',
    kind: 'gauge',
    help: '1 where this process does a background job for all gateways.',
    labels: ['job'],
  },
  indexerLogs: {
    name: 'flowgate_indexer_logs_total',
    kind: 'counter',
    help: 'Logs of bridges and pools that were stored, those that were read again included.',
    labels: ['stream'],
  },
  indexerReorganisations: {
    name: 'flowgate_indexer_reorganisations_total',
    kind: 'counter',
    help: 'Reorganisations of a chain that took back what was stored.',
    labels: ['stream'],
  },
  indexerErrors: {
    name: 'flowgate_indexer_errors_total',
    kind: 'counter',
    help: 'Times that something kept a stream from going on, or a node left logs out, by what it was.',
    labels: ['stream', 'fault'],
  },
  indexerLagBlocks: {
    name: 'flowgate_indexer_lag_blocks',
    kind: 'gauge',
    help: 'Blocks up to the head of the chain that are not stored yet; at the process that leads.',
    labels: ['stream'],
  },
  indexerReadAge: {
    name: 'flowgate_indexer_read_age_seconds',
    kind: 'gauge',
    help: 'Time since the chain was read; at the process that leads.',
    labels: ['stream'],
  },
  usageDropped: {
    name: 'flowgate_usage_dropped_total',
    kind: 'counter',
    help: 'Requests that are missing in usage, because nothing could be written for long or too many labels were in use.',
    labels: [],
  },
  usageWaiting: {
    name: 'flowgate_usage_waiting',
    kind: 'gauge',
    help: 'Counts of usage, by minute and labels, that are in memory: those of this minute, and more while the database is away.',
    labels: [],
  },
  webhookDeliveries: {
    name: 'flowgate_webhook_deliveries_total',
    kind: 'counter',
    help: 'Attempts at a delivery to a subscribed endpoint, and how they ended.',
    labels: ['outcome'],
  },
  flowClassifications: {
    name: 'flowgate_flow_classifications_total',
    kind: 'counter',
    help: "Requests about texts of Flow Apps to the operator's classifier, and how they ended.",
    labels: ['outcome'],
  },
  flowSteps: {
    name: 'flowgate_flow_steps_total',
    kind: 'counter',
    help: 'Steps of Flow sessions that an app answered, and whether they were committed.',
    labels: ['outcome'],
  },
  loopDelay: {
    name: 'flowgate_event_loop_delay_seconds',
    kind: 'histogram',
    help: 'How late the event loop ran a timer, sampled ten times a second.',
    labels: [],
    bounds: loopBounds,
  },
  buildInfo: {
    name: 'flowgate_build_info',
    kind: 'gauge',
    help: 'Always 1: the versions of Flowgate and of its runtime.',
    labels: ['version', 'bun_version'],
  },
  cpuSeconds: {
    name: 'process_cpu_seconds_total',
    kind: 'counter',
    help: 'User and system processor time.',
    labels: [],
  },
  startSeconds: {
    name: 'process_start_time_seconds',
    kind: 'gauge',
    help: 'Start of the process, since the Unix epoch.',
    labels: [],
  },
  residentBytes: {
    name: 'process_resident_memory_bytes',
    kind: 'gauge',
    help: 'Resident memory.',
    labels: [],
  },
  virtualBytes: {
    name: 'process_virtual_memory_bytes',
    kind: 'gauge',
    help: 'Virtual memory.',
    labels: [],
  },
  openFds: {
    name: 'process_open_fds',
    kind: 'gauge',
    help: 'Open file descriptors.',
    labels: [],
  },
  maxFds: {
    name: 'process_max_fds',
    kind: 'gauge',
    help: 'The most file descriptors that the process may open.',
    labels: [],
  },
} as const satisfies Readonly<Record<string, MetricDescription<MetricKind>>>;

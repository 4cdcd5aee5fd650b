/** Every metric that a gateway exposes: one table, from which docs/reference/metrics.md is generated. Labels take their values from closed sets. */

import type { MetricDescription } from '@flowgate/telemetry/metrics/registry';
import type { MetricKind } from '@flowgate/telemetry/metrics/snapshot';

/** In seconds. From what the gateway answers by itself to the longest time that a node may take. */
const requestBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** In seconds. From a cached read to the longest deadline of a statement. */
const storeBounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
/** In seconds. */
const loopBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

export const metricCatalog = {
  requests: {
    name: 'flowgate_requests_total',
    kind: 'counter',
    help: 'Answered requests, by surface and outcome.',
    labels: ['surface', 'outcome'],
  },
  requestSeconds: {
    name: 'flowgate_request_duration_seconds',
    kind: 'histogram',
    help: 'Time from the head of a request until its response was ready, or until a stream began.',
    labels: ['surface'],
    bounds: requestBounds,
  },
  limited: {
    name: 'flowgate_limited_total',
    kind: 'counter',
    help: 'Requests over a limit: of the user or session (requests), or of an address for invalid credentials (credentials).',
    labels: ['surface', 'limit'],
  },
  connections: {
    name: 'flowgate_connections',
    kind: 'gauge',
    help: 'Open connections of callers.',
    labels: [],
  },
  waitingBytes: {
    name: 'flowgate_waiting_bytes',
    kind: 'gauge',
    help: 'Bytes buffered for connections of callers, in steps of 16 KiB: unread requests and unsent responses.',
    labels: [],
  },
  waitingRefused: {
    name: 'flowgate_waiting_refused_total',
    kind: 'counter',
    help: 'Connections that were closed because their buffered bytes exceeded a bound.',
    labels: ['bound'],
  },
  webSocketConnections: {
    name: 'flowgate_websocket_connections',
    kind: 'gauge',
    help: 'Open WebSocket connections of callers.',
    labels: [],
  },
  webSocketSubscriptions: {
    name: 'flowgate_websocket_subscriptions',
    kind: 'gauge',
    help: 'Active subscriptions of callers, by kind.',
    labels: ['kind'],
  },
  nodeRequests: {
    name: 'flowgate_node_requests_total',
    kind: 'counter',
    help: 'Attempts to have a node answer a call or a batch, by outcome.',
    labels: ['network', 'node', 'outcome'],
  },
  nodeState: {
    name: 'flowgate_node_state',
    kind: 'gauge',
    help: '1 for the current state of a node: healthy, unhealthy (failed health checks), resting (circuit open or Retry-After) or out (on another chain).',
    labels: ['network', 'node', 'state'],
  },
  nodeHead: {
    name: 'flowgate_node_head',
    kind: 'gauge',
    help: 'Height of the newest block that a node reported; absent until it reports one.',
    labels: ['network', 'node'],
  },
  cacheHits: {
    name: 'flowgate_cache_hits_total',
    kind: 'counter',
    help: 'JSON-RPC calls that were answered from the cache.',
    labels: ['network'],
  },
  cacheMisses: {
    name: 'flowgate_cache_misses_total',
    kind: 'counter',
    help: 'JSON-RPC calls to cacheable methods that were sent to a node.',
    labels: ['network'],
  },
  cacheCoalesced: {
    name: 'flowgate_cache_coalesced_total',
    kind: 'counter',
    help: 'JSON-RPC calls that shared the response of an equal call in flight.',
    labels: ['network'],
  },
  cacheBytes: {
    name: 'flowgate_cache_bytes',
    kind: 'gauge',
    help: 'Memory of cached responses.',
    labels: ['network'],
  },
  storeSeconds: {
    name: 'flowgate_store_duration_seconds',
    kind: 'histogram',
    help: 'Duration of store operations, failed ones included.',
    labels: ['engine', 'operation'],
    bounds: storeBounds,
  },
  leader: {
    name: 'flowgate_leader',
    kind: 'gauge',
    help: '1 in the process that runs a background job for all gateways.',
    labels: ['job'],
  },
  indexerLogs: {
    name: 'flowgate_indexer_logs_total',
    kind: 'counter',
    help: 'Logs of bridges and pools that were stored, including those read again.',
    labels: ['stream'],
  },
  indexerReorganizations: {
    name: 'flowgate_indexer_reorganisations_total',
    kind: 'counter',
    help: 'Chain reorganizations that removed stored logs.',
    labels: ['stream'],
  },
  indexerErrors: {
    name: 'flowgate_indexer_errors_total',
    kind: 'counter',
    help: 'Faults that interrupted a stream, or logs that a node omitted, by fault.',
    labels: ['stream', 'fault'],
  },
  indexerLagBlocks: {
    name: 'flowgate_indexer_lag_blocks',
    kind: 'gauge',
    help: 'Blocks up to the head of the chain that are not stored yet; reported by the leader.',
    labels: ['stream'],
  },
  indexerReadAge: {
    name: 'flowgate_indexer_read_age_seconds',
    kind: 'gauge',
    help: 'Time since the chain was last read; reported by the leader.',
    labels: ['stream'],
  },
  usageDropped: {
    name: 'flowgate_usage_dropped_total',
    kind: 'counter',
    help: 'Requests that are missing in usage, because usage could not be written for long or too many labels were in use.',
    labels: [],
  },
  usageWaiting: {
    name: 'flowgate_usage_waiting',
    kind: 'gauge',
    help: 'Usage counters in memory: those of the current minute, and more while the database is unavailable.',
    labels: [],
  },
  webhookDeliveries: {
    name: 'flowgate_webhook_deliveries_total',
    kind: 'counter',
    help: 'Delivery attempts to webhook endpoints, by outcome.',
    labels: ['outcome'],
  },
  flowClassifications: {
    name: 'flowgate_flow_classifications_total',
    kind: 'counter',
    help: "Requests to the operator's classifier about texts of Flow Apps, by outcome.",
    labels: ['outcome'],
  },
  flowSteps: {
    name: 'flowgate_flow_steps_total',
    kind: 'counter',
    help: 'Steps of Flow sessions that an app answered, by whether they were committed.',
    labels: ['outcome'],
  },
  loopDelay: {
    name: 'flowgate_event_loop_delay_seconds',
    kind: 'histogram',
    help: 'Delay of timers on the event loop, sampled ten times per second.',
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
    help: 'User and system CPU time.',
    labels: [],
  },
  startSeconds: {
    name: 'process_start_time_seconds',
    kind: 'gauge',
    help: 'Start time of the process since the Unix epoch.',
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
    help: 'Maximum number of open file descriptors.',
    labels: [],
  },
} as const satisfies Readonly<Record<string, MetricDescription<MetricKind>>>;

/** Labels of metrics with their values, for docs/reference/metrics.md. */

type LabelValues = {
  readonly label: string;
  /** Metrics with these values. Other metrics with the same label have another entry in the list. */
  readonly metrics: readonly string[];
  readonly values: string;
};

const requests = ['flowgate_requests_total', 'flowgate_request_duration_seconds', 'flowgate_limited_total'];
const cache = ['hits_total', 'misses_total', 'coalesced_total', 'bytes'].map((name) => `flowgate_cache_${name}`);
const nodes = ['flowgate_node_requests_total', 'flowgate_node_state', 'flowgate_node_head'];
const indexer = ['logs_total', 'reorganisations_total', 'errors_total', 'lag_blocks', 'read_age_seconds'].map(
  (name) => `flowgate_indexer_${name}`,
);

export const metricLabels: readonly LabelValues[] = [
  {
    label: 'surface',
    metrics: requests,
    values: '`rpc`, `rest`, `flow`, `agents` (the endpoint for agents), `public` (probes, documentation, console)',
  },
  {
    label: 'outcome',
    metrics: ['flowgate_requests_total'],
    values:
      '`ok`, or the [reason](errors.md#reasons) of the error. A batch counts once; it is `ok` when it was answered, even if elements failed',
  },
  {
    label: 'limit',
    metrics: ['flowgate_limited_total'],
    values: '`requests` (requests of a user or session), `credentials` (invalid credentials from an address)',
  },
  {
    label: 'bound',
    metrics: ['flowgate_waiting_refused_total'],
    values: '`address` (limit of one client address), `process` (limit of the process)',
  },
  {
    label: 'kind',
    metrics: ['flowgate_websocket_subscriptions'],
    values: '`newHeads`, `logs`, `newPendingTransactions`, `syncing`',
  },
  {
    label: 'network',
    metrics: [...nodes, ...cache],
    values: "`dlt/networkId` of the configuration; `registered` for all users' nodes together",
  },
  {
    label: 'node',
    metrics: nodes,
    values: "`nodeId` of the configuration; `registered` for all users' nodes together",
  },
  {
    label: 'outcome',
    metrics: ['flowgate_node_requests_total'],
    values:
      '`answered`, `error` (a JSON-RPC error about the call), or a [node failure](errors.md#node-failures). A batch counts once. Health checks do not count',
  },
  { label: 'state', metrics: ['flowgate_node_state'], values: '`healthy`, `unhealthy`, `resting`, `out`' },
  {
    label: 'engine',
    metrics: ['flowgate_store_duration_seconds'],
    values: '`sqlite`, `postgres`, `redis`',
  },
  {
    label: 'operation',
    metrics: ['flowgate_store_duration_seconds'],
    values: 'databases: `query`, `transaction`, `ping`; Redis: `admit` (shared limits)',
  },
  {
    label: 'job',
    metrics: ['flowgate_leader'],
    values: 'name of the background job. Prometheus stores this label as `exported_job`',
  },
  {
    label: 'stream',
    metrics: indexer,
    values: '`BRIDGE/l1`, `BRIDGE/l2`, `swaps/DLT/NETWORKID` of the configuration',
  },
  {
    label: 'fault',
    metrics: ['flowgate_indexer_errors_total'],
    values:
      '`away` (no node answers), `refused` (a node refuses even a range of one block), `wrong` (a response contradicts itself), `holes` (a response lacks logs), `reader` (data that the logs refer to is unreadable), `disagreement` (nodes report different blocks), `storage`, `bug`',
  },
  {
    label: 'outcome',
    metrics: ['flowgate_webhook_deliveries_total'],
    values: '`delivered`, `failed`, `gone` (the endpoint answered 410)',
  },
  {
    label: 'outcome',
    metrics: ['flowgate_flow_classifications_total'],
    values:
      '`allowed`, `refused`, `failed` and `too-large` (in both cases `onFailure` decides), `busy` (too many calls in flight)',
  },
  {
    label: 'outcome',
    metrics: ['flowgate_flow_steps_total'],
    values: '`committed`, `lost` (another gateway took over the session), `app-data-full`, `user-full`',
  },
  { label: 'version', metrics: ['flowgate_build_info'], values: 'version of Flowgate' },
  { label: 'bun_version', metrics: ['flowgate_build_info'], values: 'version of Bun' },
];

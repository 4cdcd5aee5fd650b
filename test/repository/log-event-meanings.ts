/**
 * The meaning of each log event for an operator, for docs/reference/log-events.md. Names, levels and fields come from
 * the code.
 */

const bug = 'A defect of Flowgate: report it with this line.';

export const logEventMeanings: Readonly<Record<string, string>> = {
  'administration.not-loaded':
    "The gateway could not read the maintenance mode and users' own limits at startup. Until it has read them, it refuses no call for maintenance, and all users have the configured limits.",
  'agents.refused': 'An agent sent an invalid message of the Model Context Protocol.',
  'bridge.back-fill': 'Progress of indexing old blocks of the stream, every ten seconds.',
  'bridge.back-fill-begun': 'More than 100 blocks of the stream, from `from` to `head`, are not indexed yet.',
  'bridge.back-fill-done': 'All old blocks of the stream are indexed.',
  'bridge.check-failed': `The check of the bridge contracts at startup failed. ${bug}`,
  'bridge.holes':
    'The node omitted logs that its blocks or another node report. The gateway reads these logs from another node and stores nothing without them. If the event recurs, do not use the node for `eth_getLogs`.',
  'bridge.indexing-failed': `The indexer of a bridge or of pools failed and restarts. ${bug}`,
  'bridge.misconfigured':
    'The chain does not confirm the contract, token pair, pool or start block at `place` of the configuration. `flowgate check-config --online` lists all mismatches.',
  'bridge.reorganised':
    'The chain of the stream was reorganized. The gateway removed the records of the orphaned blocks.',
  'bridge.settling-failed': `Updating the status of bridge records failed. Other records are not affected. ${bug}`,
  'bridge.trouble': 'Indexing of the stream is interrupted; the gateway retries.',
  'bridge.trouble-over': 'Indexing of the stream continues.',
  'config.unsafe': '`flowgate check-config` found an error in the setting at `path`.',
  'config.unwise': '`flowgate check-config` warns about the setting at `path`.',
  'connections.no-room':
    'The gateway closed connections because their buffered bytes exceeded the share of a client address or of the process (`bound`). At most one line per minute; `closed` counts the connections since the last line.',
  'database.failed': 'The database, or a part of its operations, is unavailable.',
  'database.recovered': 'The database is available again.',
  'deployment.following-failed': `Tracking deployed contracts failed, and restarts. ${bug}`,
  'deployment.not-taken-back':
    'The gateway could not remove the record of a deployment that a node refused. The record will end as `replaced` or `dropped`.',
  'deployment.recording-failed': `Recording a deployment failed. The call itself was not affected. ${bug}`,
  'deployment.settled': 'The status of a deployment changed: `deployed`, `failed`, or `pending` again.',
  'deployment.unrecorded': 'A contract was deployed without a record.',
  'flow.app.recovered': 'The app answers its health probe again.',
  'flow.app.unhealthy': 'The app missed three health probes. Starting a session fails with 502 until the app answers.',
  'flow.classifier.failed':
    'The classifier did not classify texts of the app. The setting `onFailure` decided whether they passed.',
  'flow.embedded-app.failed': 'An embedded app threw an error.',
  'flow.events-undeclared': 'An app sent events of types that its version does not declare. The gateway dropped them.',
  'flow.expiry-failed': 'A session could not be expired. The next run retries.',
  'flow.job.failed': `A background job failed and restarts. ${bug}`,
  'flow.job.leading': 'This gateway now runs the background job for all gateways.',
  'flow.reading.failed': 'Validating a response of the app took too long or crashed the validation worker.',
  'flow.release-failed': `Releasing the lease of a session failed. The session is available again when the lease ends. ${bug}`,
  'flow.renewal-failed': `Renewing the lease of a session failed. ${bug}`,
  'flow.sessions-expired': 'Sessions without activity for `flow.sessionTtlSeconds` expired.',
  'flow.sessions-removed': 'Sessions that ended `flow.retentionDays` ago were removed.',
  'flow.watch-failed': 'Event streams cannot read new events. They continue when the database is available again.',
  'flow.watch-recovered': 'Event streams continue.',
  'gateway.close-failed': 'Startup failed, and a component that was already open could not be closed.',
  'gateway.draining': 'SIGTERM or SIGINT arrived. The gateway refuses new calls and finishes those in flight.',
  'gateway.listening': 'The gateway accepts requests at `url`.',
  'gateway.reloaded':
    'SIGHUP arrived. The gateway read the items in `reloaded` again; the items in `notReloaded` are unchanged.',
  'gateway.stopped': 'The gateway ended. `cutOff` calls could not finish.',
  'issuer-keys.fetched': "The gateway fetched the identity provider's keys.",
  'issuer-keys.unavailable':
    "The gateway could not fetch the identity provider's keys. It continues to use the cached ones.",
  'last-used.lost': 'The process ended before it could write the last-used times of keys.',
  'log.dropped': 'The gateway dropped log lines because standard output was not read fast enough.',
  'metrics.failed': `The metrics listener failed. ${bug}`,
  'metrics.listening': '`GET /metrics` is served at this address.',
  'node.checks-not-stored': "Results of health checks of users' nodes could not be stored. The gateway retries.",
  'node.circuit-open': 'The circuit breaker opened: the node receives calls only after all others, apart from probes.',
  'node.failed':
    'A call to the node failed ([failures](errors.md#node-failures)). At most one line in 10 seconds while the node answers other calls.',
  'node.healthy': "A health check of a user's node succeeded again.",
  'node.pipelining': 'Quick reads now share connections to the node (HTTP pipelining).',
  'node.pipelining-off':
    'The node does not support pipelining correctly. For `seconds`, the gateway sends it one request at a time per connection.',
  'node.recovered': 'The node answers again, or is on its configured chain again.',
  'node.unhealthy': "Three health checks of a user's node failed, or the node is on another chain.",
  'node.wrong-chain':
    'The node is on another chain: it reported `found` instead of `expected`. It receives no calls until that is corrected.',
  'nodes.checks-failed': `The health checks of users' nodes failed and restart. ${bug}`,
  'nodes.leading': "This gateway now checks users' nodes for all gateways.",
  'payment.settled': 'A payment was settled by `transaction`.',
  'payment.unclear': 'The outcome of settling a payment is unknown. Repeating the submission resolves it.',
  'policies.not-loaded':
    'The gateway could not read the global policies at startup. It refuses requests that these policies could deny until it has read them.',
  'redis.evicts': 'Redis may evict rate-limit counters. Set `maxmemory-policy noeviction` in its configuration.',
  'redis.ready': 'Redis is available for `purpose`.',
  'redis.unavailable': 'Redis is unavailable for `purpose`.',
  request: 'One request, selected by `log.requests`. The method of a WebSocket message is `WS`.',
  'request.failed': bug,
  'request.unavailable': 'The gateway refused a request because a dependency is unavailable.',
  'revocation.pending':
    'The revocation of a key is not in the database yet; the gateway retries. This gateway already refuses the key; others learn of it through Redis.',
  'revocation.lost': 'The process ended before it could write these revocations. Revoke these keys again.',
  'revocation.retry-failed': `Retrying the write of a revocation failed; the gateway retries again. ${bug}`,
  'revocation.written': 'A pending revocation is now in the database.',
  'revocations.poll-failed':
    'The gateway cannot read the revocations of other gateways. They take effect here after at most 60 seconds.',
  'revocations.poll-recovered': 'The gateway can read the revocations of other gateways again.',
  'server.failed': `An error outside of a request. ${bug}`,
  'shared-copy.failed': 'The gateway could not reload a shared table. It continues to use the copy in memory.',
  'shared-copy.recovered': 'The shared table is up to date again.',
  'tls.certificate-expiring': 'The TLS certificate expires soon. One line per day.',
  'tls.certificate-refused':
    'The new certificate files are unusable. The gateway continues to use the previous certificate.',
  'tls.certificate-replaced': 'New connections use the new certificate, which is valid until `validTo`.',
  'usage.dropped':
    'Usage lacks some requests: there were too many users or labels at once, or the database was unavailable for too long.',
  'usage.failed': `Usage could not be written although the database is available; the gateway retries. ${bug}`,
  'usage.keeping-failed': `Aggregating or removing usage failed; the gateway retries. ${bug}`,
  'usage.lost': 'The process ended before it could write the last usage counters.',
  'webhook.disabled': 'A webhook subscription was disabled: its endpoint answered 410, or failed for about a day.',
  'webhook.failed': `Sending a webhook delivery failed; it counts as a failed attempt. ${bug}`,
  'webhook.recovered': 'Webhook deliveries continue.',
  'webhook.retry': 'A webhook delivery failed. The next attempt is in `inMs`.',
  'webhook.store-unavailable': 'Webhook deliveries wait for the database.',
  'webhook.unnoted': 'The result of a webhook delivery could not be written. The delivery may be sent again.',
  'worker.died': 'A worker ended and restarts after `againInMs`. Without that field, the supervisor ends as well.',
  'workers.reload-failed': 'A worker did not start with the new configuration. All workers use the previous one.',
  'workers.reload-refused':
    'The gateway rejected the new configuration: the file is invalid, or changes a setting that needs a restart.',
  'workers.reloaded': 'All workers use the new configuration.',
  'workers.reloading': 'SIGHUP arrived. The supervisor replaces the workers one after another.',
  'workers.serving': 'All workers accept requests.',
};

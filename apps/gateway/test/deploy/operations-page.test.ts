/** docs/operations.md names every event that a gateway can log, and refers only to files and parts that exist. */

import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expectPart, page, table } from '../house/document-part.ts';
import { packageFiles, sourceFiles } from '../house/source-files.ts';
import { repository } from './deploy-files.ts';

/** What each event means to an operator; the level is the code's. */
const meanings: Readonly<Record<string, string>> = {
  'administration.not-loaded':
    "`reason`: maintenance and users' own limits could not be read at the start; until a poll reads them, nothing is refused for maintenance and everybody has the configured limits.",
  'node.checks-not-stored':
    "What checks of users' nodes found could not be stored; it is stored later, or found again.",
  'node.healthy': "A check found a user's node to work.",
  'node.unhealthy': "Checks of a user's node failed three times, or found another chain: `reason`.",
  'nodes.checks-failed': "The checks of users' nodes ended with an error; they begin again.",
  'nodes.leading': "This gateway checks users' nodes from now on.",
  'agents.refused': 'An agent sent something that is no message of the protocol.',
  'bridge.back-fill': 'How far the reading of old blocks of `stream` has got, every ten seconds.',
  'bridge.back-fill-begun': 'More than 100 blocks of `stream` are to be read, from `from` to `head`.',
  'bridge.back-fill-done': 'They are read: `blocks` with `logs` in `seconds`.',
  'bridge.holes':
    '`node` left logs out of `blocks` that another node or the blocks themselves say are there; what is missing is asked elsewhere, and nothing is stored without it. A node that does so again and again is not to be relied upon for `eth_getLogs`.',
  'bridge.reorganised': 'The chain of `stream` was reorganised by `depth` blocks: what they brought is taken back.',
  'bridge.settling-failed': 'A bug of the part `settler` that follows records: please report it. The others go on.',
  'bridge.trouble': '`reason`: `stream` cannot go on; it tries again.',
  'bridge.trouble-over': '`stream` goes on.',
  'bridge.check-failed': 'A bug while the contracts of bridges were checked at the start: please report it.',
  'bridge.misconfigured':
    '`problem`: a contract, pair of tokens, pool or start block at `place` of the configuration is not what it says; `check-config --online` tells all of them.',
  'bridge.indexing-failed': 'A bug while a bridge or pools were followed (`job`): please report it. It begins anew.',
  'config.unsafe': '`check-config` refuses what stands at `path`: `problem`.',
  'config.unwise': '`check-config` warns of what stands at `path`: `advice`.',
  'connections.no-room':
    'Connections were closed (`closed` since the last such line) because what waits on them found no room: in the share of an address or in that of the process (`bound`). `waitingBytes`: what waits in all. At most once in a minute.',
  'database.failed': '`reason`: the database cannot be used, or only in part.',
  'database.recovered': 'It can be used again.',
  'deployment.following-failed': 'A bug while deployed contracts were followed: please report it. It begins anew.',
  'deployment.not-taken-back':
    '`reason`: the record of a deployment that a node refused could not be removed; it ends as `replaced` or `dropped`.',
  'deployment.recording-failed':
    'A bug while a deployment was recorded or taken back: please report it. The call went on.',
  'deployment.settled':
    'The deployment of `transactionHash` is `status` now: `deployed`, `failed` for `reason`, or `pending` again.',
  'deployment.unrecorded': '`reason`: a contract was deployed without a record of it.',
  'flow.app.recovered': 'Version `version` of `appId` answers its health probe again.',
  'flow.classifier.failed':
    'The classifier did not judge texts of `appId`: `reason`. `onFailure` says whether they passed.',
  'flow.app.unhealthy':
    'Version `version` of `appId` missed three health probes; new sessions get 502 until it answers.',
  'flow.embedded-app.failed': 'An embedded app threw; where, and never what it said.',
  'flow.events-undeclared': 'An app sent events of `types` that its version does not declare; they were dropped.',
  'flow.expiry-failed': 'A session could not be expired; it is tried again in the next round.',
  'flow.job.failed': 'A background job threw; it begins anew. A bug: please report it.',
  'flow.job.leading': 'This gateway does the background `job` for all.',
  'flow.reading.failed': 'A response of `appId` took too long to check, or crashed the validation worker.',
  'flow.release-failed': 'A bug while a session was let go: please report it. It is free when its lease ends.',
  'flow.renewal-failed': 'A bug while a session was held: please report it.',
  'flow.sessions-expired': '`count` sessions had been idle for `flow.sessionTtlSeconds`.',
  'flow.sessions-removed': '`count` sessions that had been over for `flow.retentionDays` were removed.',
  'flow.watch-failed': '`reason`: streams cannot look for new events; they go on when the database is back.',
  'flow.watch-recovered': 'They can again.',
  'gateway.close-failed': 'The start failed, and what had been opened before could not be closed in order.',
  'gateway.draining': 'SIGTERM or SIGINT came; new calls are refused.',
  'gateway.listening': 'It serves at `url`.',
  'gateway.reloaded':
    'SIGHUP came: what `reloaded` names was read again. The configuration itself is read at the start only, or by workers.',
  'gateway.stopped': 'It ended; `cutOff` calls could not finish.',
  'issuer-keys.fetched': 'The issuer’s keys are there: for the first time, or again.',
  'issuer-keys.unavailable': '`reason`: the issuer’s keys could not be fetched; those in memory go on serving.',
  'last-used.lost': 'Last-used times could not be written before the end.',
  'log.dropped': '`lines` were dropped because nobody took them.',
  'metrics.failed': 'A bug at the listener for metrics: please report it, with the line.',
  'metrics.listening': '`GET /metrics` is answered there.',
  'node.failed': 'A node did not answer, or not usably. Told once in 10 s while it answers other calls.',
  'node.pipelining': 'Quick reads share connections to the node from now on.',
  'node.pipelining-off':
    '`reason`: the node does not answer as one that pipelines has to; it is asked one thing at a time for `seconds`.',
  'node.recovered': 'It answers again, or is on its chain again.',
  'node.resting': 'So many calls to the node failed that it is asked last, but for one that probes it now and then.',
  'node.wrong-chain':
    'A node answered the chain id `found` where `expected` is configured; it is not asked until it is right.',
  'payment.settled': 'A payment was settled in `transaction`.',
  'payment.unclear': '`reason`: whether a payment was settled is not known yet; the same submission finds out.',
  'policies.not-loaded':
    '`reason`: the global policies could not be read at the start; what they decide is refused until they are.',
  'redis.unavailable': '`reason`, and for which `purpose`, Redis cannot be used.',
  'redis.evicts': 'Redis may throw counters away to make room.',
  'redis.ready': 'Redis is used for `purpose`.',
  request: 'One request, as `log.requests` asks for them; a message of a WebSocket has the method `WS`.',
  'request.failed': 'A bug: please report it, with the line.',
  'request.unavailable': 'A request was refused because something it needs is unavailable.',
  'revocation.held':
    'A revocation of key `keyId` cannot be written: the key is refused here and, by Redis, elsewhere, and the write is tried again.',
  'revocation.lost': 'The process ended before the revocations of `keyIds` were written: revoke them again.',
  'revocation.retry-failed': 'A bug while a held revocation was written: please report it. It is tried again.',
  'revocation.written': 'The held revocation of key `keyId` is written.',
  'revocations.poll-failed': '`reason`: revocations of other gateways cannot be asked for; the bound of 60 s holds.',
  'revocations.poll-recovered': 'They can be again.',
  'server.failed': 'A bug outside any request: please report it, with the line.',
  'shared-copy.failed': '`reason`: the copy of `name` cannot be brought up to date; the one in memory goes on serving.',
  'shared-copy.recovered': 'It is up to date again.',
  'tls.certificate-expiring': '`advice`: the certificate should have been renewed; once a day.',
  'tls.certificate-refused': '`problem`: new files cannot be used; the certificate before stays.',
  'tls.certificate-replaced': 'New connections are shown the new certificate, until `validTo`.',
  'usage.dropped':
    'So many `requests` are missing in usage: too many users or labels at once, or the database was away for long.',
  'usage.failed':
    '`reason`: what was counted could not be written, and the database is not away: a bug, please report it. It is kept, and tried again.',
  'usage.keeping-failed': 'A bug while usage was rolled up or removed: please report it. It is tried again.',
  'usage.lost': 'What was counted last could not be written before the end.',
  'webhook.disabled': 'A subscription was disabled: its endpoint answered 410, or failed for about a day.',
  'webhook.failed': 'A bug while a delivery was sent: please report it. It counts as a failed attempt.',
  'webhook.recovered': 'Deliveries go on.',
  'webhook.retry': 'A delivery failed and comes again in `inMs`.',
  'webhook.store-unavailable': '`reason`: deliveries wait for the database.',
  'webhook.unnoted': '`reason`: what became of a delivery could not be written; it may be sent again.',
  'worker.died': 'Worker `worker` ended with `code` and is replaced in `againInMs`; without that the whole ends.',
  'workers.reload-failed': 'A worker did not serve with the new configuration: all `workers` have the one before.',
  'workers.reload-refused':
    '`problems`: the configuration file cannot be used, or changes what a reload cannot change; nothing changes.',
  'workers.reloaded': 'All `workers` have the configuration as it was read.',
  'workers.reloading': 'SIGHUP came: the configuration is valid, and `workers` are replaced one after another.',
  'workers.serving': 'All `workers` serve `port`.',
};

/** `log.warn('event'`, also over a line break, and objects that the log writes by itself. */
const logged = /\blog\??\.(debug|info|warn|error)\(\s*'([a-z.-]+)'|level: '(\w+)', event: '([a-z.-]+)'/g;

test('every event that the code logs is on the page, with its level', async () => {
  const events = new Map<string, string>();
  for (const { text } of [...(await sourceFiles()), ...(await packageFiles())])
    for (const [, level, event, ownLevel, ownEvent] of text.matchAll(logged))
      events.set(event ?? ownEvent ?? '', level ?? ownLevel ?? '');
  // Logged by a helper that takes the event's name.
  events.set('deployment.not-taken-back', 'warn');
  expect([...events.keys()].sort()).toEqual(Object.keys(meanings).sort());
  const rows = [...events].sort().map(([event, level]) => [`\`${event}\``, level, meanings[event] ?? '']);
  await expectPart('operations.md', 'events', table(['event', 'level', 'meaning'], rows));
});

test('every file that the page links to is there', async () => {
  const links = [...(await page('operations.md')).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, to = '']) => to);
  expect(links.length).toBeGreaterThan(8);
  expect(links.filter((to) => !existsSync(join(repository, 'docs', to)))).toEqual([]);
});

/** Step submissions a second and how long each takes, on SQLite with an app that does nothing: `bun gateway/bench/flow.ts [seconds]`. The client and the app share the machine with the gateway. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Session } from '@flowgate/client/flow-wire';
import { publishFlowApp, reachesLoopback, startFlowApp } from '../test/fixtures/flow-app.ts';
import { flowClient } from '../test/fixtures/flow-client.ts';
import { type RunningGateway, startGateway } from '../test/fixtures/running-gateway.ts';

const seconds = Number(process.argv[2] ?? 5);
const generous = 1_000_000_000;

const step = { stepId: 'count', title: 'Count', fields: [], actions: [{ actionId: 'go', label: 'Go' }] };
const embeddedModule = `export default { appId: 'bench/embedded', name: 'Bench', version: '1.0.0', steps: [{ stepId: 'count' }],
  renderStep: () => ({ step: ${JSON.stringify(step)} }) };`;

type Submit = (session: Session, at: number) => Promise<{ readonly status: number; readonly session: Session }>;

/** Each client goes on as soon as it was answered, in a session of its own. */
async function measure(label: string, sessions: readonly Session[], submit: Submit): Promise<void> {
  const times: number[] = [];
  const refusals = new Map<number, number>();
  const until = performance.now() + seconds * 1000;
  const walk = async (first: Session) => {
    let session = first;
    for (let at = 0; performance.now() < until; at++) {
      const began = performance.now();
      const answer = await submit(session, at);
      if (answer.status === 200) times.push(performance.now() - began);
      else refusals.set(answer.status, (refusals.get(answer.status) ?? 0) + 1);
      session = answer.session;
    }
  };
  const began = performance.now();
  await Promise.all(sessions.map(walk));
  const perSecond = times.length / ((performance.now() - began) / 1000);
  const inOrder = times.sort((left, right) => left - right);
  const part = (share: number) => (inOrder[Math.floor(inOrder.length * share)] ?? Number.NaN).toFixed(1);
  const refused = [...refusals].map(([status, count]) => `, ${count} answered ${status}`).join('');
  console.log(
    `${label}, ${sessions.length} clients: ${perSecond.toFixed(0)} a second, p50 ${part(0.5)} ms, p99 ${part(0.99)} ms${refused}`,
  );
}

function submitter(gateway: RunningGateway): (keyOf: (at: number) => string) => Submit {
  const client = flowClient(gateway);
  return (keyOf) => async (session, at) => {
    const response = await client.post(
      `/flow/sessions/${session.sessionId}/steps/count`,
      { actionId: 'go', fieldValues: {}, stateVersion: session.stateVersion },
      { 'Idempotency-Key': keyOf(at) },
    );
    const body = await response.json();
    return { status: response.status, session: response.status === 200 ? (body as Session) : session };
  };
}

const directory = await mkdtemp(join(tmpdir(), 'flowgate-bench-'));
const moduleFile = join(directory, 'embedded.ts');
await Bun.write(moduleFile, embeddedModule);
const app = startFlowApp(() => ({ step }));
const gateway = await startGateway({
  config: {
    ...reachesLoopback,
    limits: { userPerMinute: generous, sessionPerMinute: generous },
    log: { level: 'info', requests: 'none' },
    flow: { embeddedApps: [moduleFile] },
  },
});
try {
  await publishFlowApp(gateway, app);
  const submits = submitter(gateway);
  const start = (appId: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => flowClient(gateway).start(appId)));
  for (const [label, appId] of [
    ['embedded app', 'bench/embedded'],
    ['app over HTTP', 'acme/counter'],
  ] as const)
    for (const clients of [1, 16, 64])
      await measure(
        label,
        await start(appId, clients),
        submits((at) => `${label} ${at}`),
      );
  await measure(
    'replays',
    await start('bench/embedded', 16),
    submits(() => 'the same'),
  );
} finally {
  await gateway.stop();
  await app.stop();
  await rm(directory, { recursive: true, force: true });
}

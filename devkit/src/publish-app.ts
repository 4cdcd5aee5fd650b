/** Publishes a Flow App through a gateway's own routes, as often as one likes: what is there already is left as it is. */
import type { Flowgate } from '@flowgate/client';
import type { Version } from '@flowgate/client/flow-wire';
import { FlowgateError } from '@flowgate/client/flowgate-error';
import type { Publication } from './sample-apps.ts';

/**
 * Afterwards the app's one active version is this publication. Where an older one differs, the next patch version is published and the older one retired: nobody
 * answers at its address any more. Throws `FlowgateError` for what the gateway refuses.
 */
export async function publishApp(client: Flowgate, { app, version }: Publication): Promise<void> {
  const { apps, versions } = client.flow;
  await unlessThere(apps.register(app));
  const known: Version[] = [];
  for await (const each of versions.list(app.appId)) known.push(each);
  const active = known.filter(({ status }) => status === 'active');
  if (!active.some((each) => isSame(each, version))) {
    await versions.publish(app.appId, { ...version, version: nextVersion(known) });
  }
  for (const each of active) {
    if (!isSame(each, version)) await versions.retire(app.appId, each.version);
  }
}

/** Afterwards no one can start the app: each version that is active is retired. An app that was never registered is none to retire. */
export async function withdrawApp(client: Flowgate, appId: string): Promise<void> {
  try {
    for await (const { version, status } of client.flow.versions.list(appId))
      if (status === 'active') await client.flow.versions.retire(appId, version);
  } catch (error) {
    if (!(error instanceof FlowgateError) || error.status !== 404) throw error;
  }
}

async function unlessThere(registration: Promise<unknown>): Promise<void> {
  try {
    await registration;
  } catch (error) {
    if (!(error instanceof FlowgateError) || error.status !== 409) throw error;
  }
}

/** `startSteps` has a default, which the gateway fills in. */
function isSame(known: Version, wanted: Publication['version']): boolean {
  const startSteps = wanted.startSteps ?? wanted.steps.slice(0, 1).map(({ stepId }) => stepId);
  const declared = { startSteps, steps: wanted.steps, queries: wanted.queries ?? [], events: wanted.events ?? [] };
  return (
    known.baseUrl === wanted.baseUrl &&
    Bun.deepEquals(declared, {
      ...{ startSteps: known.startSteps, steps: known.steps, queries: known.queries, events: known.events },
    })
  );
}

/** Ours are all `1.0.n`. */
function nextVersion(known: readonly Version[]): string {
  const patches = known.map(({ version }) => Number(version.split('.')[2] ?? 0));
  return `1.0.${Math.max(-1, ...patches) + 1}`;
}

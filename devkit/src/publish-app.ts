/** Publishes a Flow App through the gateway's routes. Repeated calls change nothing. */
import type { Flowgate } from '@flowgate/client';
import type { Version } from '@flowgate/client/flow-wire';
import { FlowgateError } from '@flowgate/client/flowgate-error';
import type { Publication } from './sample-apps.ts';

/**
 * Afterwards this publication is the app's one active version. If the active version differs, publishes the next patch version and retires the older one, whose
 * address no longer answers. Throws `FlowgateError` when the gateway refuses.
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

/** Retires each active version, so that the app cannot be started. An app that was never registered is ignored. */
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

/** The gateway fills in the default of `startSteps`. */
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

/** All versions here are `1.0.n`. */
function nextVersion(known: readonly Version[]): string {
  const patches = known.map(({ version }) => Number(version.split('.')[2] ?? 0));
  return `1.0.${Math.max(-1, ...patches) + 1}`;
}

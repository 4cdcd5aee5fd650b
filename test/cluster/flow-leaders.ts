/** Determines from the logs which gateway leads each background job, and counts the health probes of an app. */

import type { GatewayService } from './cluster.ts';

/** The background jobs that one gateway runs for all. */
export const backgroundJobs = ['flow health probes', 'flow session expiry', 'flow session removal'];

export type Leaders = ReadonlyMap<string, GatewayService>;

/** The gateway that became the leader last, for each job. */
export async function leadersOf(gateways: readonly GatewayService[]): Promise<Leaders> {
  const latest = new Map<string, { readonly time: string; readonly gateway: GatewayService }>();
  for (const gateway of gateways) {
    for (const line of (await gateway.log()).split('\n').filter((each) => each.includes('"flow.job.leading"'))) {
      const { job, time } = JSON.parse(line) as { job: string; time: string };
      if (time >= (latest.get(job)?.time ?? '')) latest.set(job, { time, gateway });
    }
  }
  return new Map([...latest].map(([job, { gateway }]) => [job, gateway]));
}

export type ProbedApp = {
  readonly url: string;
  /** The times of the health probes. */
  readonly probedMs: readonly number[];
  readonly stop: () => Promise<void>;
};

export function startProbedApp(now: () => number): ProbedApp {
  const probedMs: number[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch() {
      probedMs.push(now());
      return new Response(null, { status: 200 });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, probedMs, stop: () => server.stop(true) };
}

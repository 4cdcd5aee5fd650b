/**
 * Calls at a fixed rate to a network of three nodes, of which one is killed and returns, and another is paused and
 * continues.
 */
import { fileURLToPath } from 'node:url';
import { fixedResult } from '@flowgate/devkit/load/fixed-upstream';
import type { Generator } from '@flowgate/devkit/load/generator-process';
import { startGateway } from '../test/fixtures/running-gateway.ts';
import type { BenchArguments } from './arguments.ts';
import { portIn } from './contestants/bun-floor.ts';
import type { Progress } from './measure.ts';
import { scenarios } from './scenarios.ts';
import type { Workshop } from './workshop.ts';

export const failoverName = 'failover';

export type FailoverRow = {
  readonly what: string;
  readonly calls: number;
  /** Answered 502, because no node had answered. */
  readonly lost: number;
  readonly p50Us: number;
  readonly p99Us: number;
  readonly maxUs: number;
};

type Node = { readonly port: number; readonly child: Bun.Subprocess };

/** Enough that calls occur at every moment, too few to be a load. */
const perSecond = 500;
const keysOfUsers = 8;
const phasesOf = 5;

/** The fault of a phase begins with it and ends with the next phase. The calls are reads. */
export async function measureFailover(
  workshop: Workshop,
  generator: Generator,
  { latencyMs }: Pick<BenchArguments, 'latencyMs'>,
  progress: Progress,
): Promise<readonly FailoverRow[]> {
  const [scenario] = scenarios;
  if (scenario === undefined) return [];
  const nodes = await Promise.all([startNode(workshop), startNode(workshop), startNode(workshop)]);
  const [killed, paused] = nodes;
  const gateway = await startGateway({
    config: {
      networks: [
        {
          ...{ dlt: 'ethereum', networkId: 'dev', chainId: 31337, default: true },
          nodes: nodes.map(({ port }, at) => ({ nodeId: `dev-${at + 1}`, url: `http://127.0.0.1:${port}` })),
        },
      ],
      limits: { userPerMinute: 1_000_000 },
      log: { requests: 'none' },
    },
  });
  workshop.atEnd(gateway.stop);
  const keys = await Promise.all(Array.from({ length: keysOfUsers }, () => gateway.mint()));
  const hot = keys.map(({ apiKey }) => ({ key: apiKey, userId: 'alice' }));
  const requests = { ...scenario.requests({ hot, unknown: [], cold: [], spent: [] }, 0), port: gateway.port };
  const expectation = { ...scenario.expectation, toleratedStatus: 502 };
  await generator.prepare({ requests, expectation, connections: 64, warmUpMs: 1_000 });
  const phases: readonly (readonly [what: string, begin: () => unknown])[] = [
    ['all three are there', () => undefined],
    ['one is killed', () => killed.child.kill('SIGKILL')],
    ['it is back', () => startNode(workshop, killed.port)],
    ['another one is paused', () => paused.child.kill('SIGSTOP')],
    ['it continues', () => paused.child.kill('SIGCONT')],
  ];
  const rows: FailoverRow[] = [];
  for (const [what, begin] of phases) {
    progress(`failover, ${what}`);
    const measuring = generator.measure({ kind: 'open', perSecond, durationMs: latencyMs * phasesOf });
    await begin();
    const { answers: calls, tolerated: lost, p50Us, p99Us, maxUs } = await measuring;
    rows.push({ what, calls, lost, p50Us, p99Us, maxUs });
  }
  await generator.release();
  await gateway.stop();
  return rows;
}

/** A process that always answers `fixedResult`. */
async function startNode(workshop: Workshop, port = 0): Promise<Node> {
  const program = fileURLToPath(import.meta.resolve('@flowgate/devkit/load/fixed-upstream'));
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const child = Bun.spawn([process.execPath, program, String(port)], {
    stdio: ['ignore', 'inherit', 'inherit'],
    ipc: (message: unknown) => resolve(portIn(message)),
    onExit: () => reject(new Error(`the node that answers ${fixedResult} ended`)),
  });
  workshop.atEnd(async () => {
    child.kill('SIGKILL');
    await child.exited;
  });
  return { port: await promise, child };
}

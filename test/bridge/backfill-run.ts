/** The speed of a back-fill of many events, compared with a bare loop of `eth_getLogs` over the same node. */

import { join } from 'node:path';
import { l2Contracts } from '@flowgate/chain/blocks/bridge-log';
import { until } from '@flowgate/testing/until';
import { type BridgeRuntime, type Engine, startBridgeGateways } from './bridge-gateways.ts';

export type BackfillOptions = {
  readonly engine: Engine;
  readonly events: number;
  readonly command?: readonly string[];
  readonly maxBlockRange?: number;
};

export type BackfillFigures = {
  readonly events: number;
  readonly seconds: number;
  readonly perSecond: number;
  /** The same logs, requested in the same ranges one after another, parsed and dropped. */
  readonly bareSeconds: number;
  readonly barePerSecond: number;
  /** The memory of the gateway's process. */
  readonly cpuSeconds: number;
  readonly maxMiB: number;
};

type Reported = Omit<BridgeRuntime, 'people'> & {
  readonly events: number;
  readonly heads: Readonly<Record<'l1' | 'l2', number>>;
};

const maxMs = 15 * 60_000;

export async function runBackfill(options: BackfillOptions): Promise<BackfillFigures> {
  const { maxBlockRange = 100 } = options;
  const node = Bun.spawn([process.execPath, join(import.meta.dir, 'backfill-node.ts'), String(options.events)], {
    ...{ stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' },
  });
  try {
    const reported = await firstLine(node.stdout);
    const bareStartedMs = performance.now();
    const bare = await bareLoop(reported, maxBlockRange);
    const bareSeconds = (performance.now() - bareStartedMs) / 1000;
    if (bare < reported.events) throw new Error(`the node returned ${bare} of ${reported.events} logs`);
    const startedMs = performance.now();
    const cluster = await startBridgeGateways(
      { ...reported, people: [] },
      { ...options, count: 1, maxBlockRange, pollSeconds: 0.5 },
    );
    try {
      const streams = {
        'main/l1': reported.heads.l1,
        'main/l2': reported.heads.l2,
        'swaps/ethereum/l2': reported.heads.l2,
      };
      const isDone = async () => {
        const rows = await cluster.query('SELECT stream_id, next_block FROM bridge_streams');
        return Object.entries(streams).every(([streamId, head]) =>
          rows.some((row) => row['stream_id'] === streamId && Number(row['next_block']) > head),
        );
      };
      await until('everything is indexed', isDone, maxMs, 50);
      const seconds = (performance.now() - startedMs) / 1000;
      const usage = usageOf(cluster.gateways[0]?.process.pid ?? 0);
      return {
        ...{ events: reported.events, seconds, perSecond: reported.events / seconds },
        ...{ bareSeconds, barePerSecond: reported.events / bareSeconds, ...usage },
      };
    } finally {
      await cluster.stop();
    }
  } finally {
    node.kill();
    await node.exited;
  }
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<Reported> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of stream) {
    text += decoder.decode(part, { stream: true });
    if (text.includes('\n')) return JSON.parse(text);
  }
  throw new Error('the node ended');
}

/** Requests the logs that the indexer wants, and nothing else; returns their number. */
async function bareLoop({ urls, heads, contracts, pools }: Reported, range: number): Promise<number> {
  let logs = 0;
  const addresses = {
    l1: [contracts.portal, contracts.disputeGameFactory],
    l2: [...Object.values(l2Contracts), ...pools.map(({ address }) => address)],
  };
  for (const side of ['l1', 'l2'] as const)
    for (let from = 0; from <= heads[side]; from += range) {
      const [fromBlock, toBlock] = [from, Math.min(heads[side], from + range - 1)].map((at) => `0x${at.toString(16)}`);
      const filter = { fromBlock, toBlock, address: addresses[side] };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [filter] });
      const response = await fetch(urls[side][0] ?? '', { method: 'POST', body });
      const { result }: { readonly result: readonly unknown[] } = JSON.parse(await response.text());
      logs += result.length;
    }
  return logs;
}

/** Undefined on systems other than Linux. */
function usageOf(pid: number): { readonly cpuSeconds: number; readonly maxMiB: number } {
  const [cpu = '0', resident = '0'] = Bun.spawnSync(['ps', '-o', 'cputimes=,rss=', '-p', String(pid)])
    .stdout.toString()
    .trim()
    .split(/\s+/);
  return { cpuSeconds: Number(cpu), maxMiB: Math.round(Number(resident) / 1024) };
}

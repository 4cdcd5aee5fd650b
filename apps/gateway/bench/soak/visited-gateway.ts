/** A gateway that reports on its own process, with a node that sends slow and large answers. */

import { setTimeout as pause } from 'node:timers/promises';
import { type RunningGateway, startGateway } from '../../test/fixtures/running-gateway.ts';
import { largeMethod, slowMethod } from './visits.ts';

export type Figures = Readonly<Record<string, number>>;

export type VisitedGateway = {
  readonly port: number;
  readonly apiKey: string;
  readonly measure: () => Promise<Figures>;
  readonly stop: () => Promise<void>;
};

const largeAnswer = JSON.stringify('x'.repeat(400_000));
const slowMs = 100;

export async function startVisitedGateway(): Promise<VisitedGateway> {
  const gateway = await startGateway({
    command: [process.execPath, new URL('./measured-gateway.ts', import.meta.url).pathname],
    config: {
      server: {
        ...{ maxConnections: 40_000, maxConnectionsPerAddress: 40_000 },
        ...{ headTimeoutSeconds: 5, bodyTimeoutSeconds: 5, writeTimeoutSeconds: 2 },
      },
      limits: { userPerMinute: 1_000_000, invalidPerMinute: 100_000_000 },
      log: { level: 'info', requests: 'none' },
    },
  });
  gateway.node.behave(async (body) => {
    const { id, method }: { id: number; method: string } = JSON.parse(body);
    gateway.node.received.length = 0;
    if (method === slowMethod) await pause(slowMs);
    return new Response(`{"jsonrpc":"2.0","id":${id},"result":${method === largeMethod ? largeAnswer : '"0x10"'}}`);
  });
  const { apiKey } = await gateway.mint();
  return { port: gateway.port, apiKey, measure: () => measure(gateway), stop: gateway.stop };
}

async function measure(gateway: RunningGateway): Promise<Figures> {
  const from = gateway.output().length;
  gateway.process.kill('SIGUSR2');
  for (;;) {
    const reported = /^\{"measured":(\{.*\})\}$/m.exec(gateway.output().slice(from))?.[1];
    if (reported !== undefined) return JSON.parse(reported);
    await pause(20);
  }
}

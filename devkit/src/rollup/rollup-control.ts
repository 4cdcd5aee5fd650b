/** The control routes of the local rollup, for tests and demonstrations: on loopback, each a POST that answers 200 with JSON. */
import { type Address, getAddress, isAddress } from 'viem';
import { proposeWhenIdle } from './automatic-proposer.ts';
import type { L1Contracts } from './deploy-l1.ts';
import { blacklist, challenge, pausePortal, propose, resolveGame, unpausePortal } from './dispute-games.ts';
import { reorganize } from './reorganize.ts';
import type { RollupChain } from './rollup-chain.ts';
import type { Sequencer } from './sequencer.ts';

export type RollupControlDeps = {
  readonly l1: RollupChain;
  readonly l2: RollupChain;
  readonly contracts: L1Contracts;
  readonly sequencer: Sequencer;
  /** Highest block that no reorganization replaces: the deployment is below it. */
  readonly floor: { readonly l1: number; readonly l2: number };
  /** 0 chooses a free port. */
  readonly port: number;
  readonly isAutomatic: boolean;
  readonly patienceMs: number | undefined;
  readonly onError: (error: unknown) => void;
};

export type RollupControl = { readonly url: string; readonly stop: () => Promise<void> };

/** An invalid member of the body; the message names it. */
class BadBody extends Error {}

/** Below the number of derived blocks that the sequencer remembers. */
const deepest = 1_000;
const maxSeconds = 365 * 24 * 3600;

export function startRollupControl(deps: RollupControlDeps): RollupControl {
  const { l1, l2, contracts, sequencer, floor } = deps;
  const proposer = proposeWhenIdle(deps);
  const routes: Readonly<Record<string, (body: Readonly<Record<string, unknown>>) => Promise<object>>> = {
    '/pause': async () => {
      await sequencer.pause();
      return { derivation: 'paused' };
    },
    '/resume': async () => {
      sequencer.resume();
      await sequencer.catchUp();
      return { derivation: 'running' };
    },
    '/portal/pause': async () => {
      await pausePortal(l1, contracts);
      return { portal: 'paused' };
    },
    '/portal/unpause': async () => {
      await unpausePortal(l1, contracts);
      return { portal: 'running' };
    },
    '/propose': () => proposer.proposed(() => sequencer.alone(() => propose(l1, l2, contracts))),
    '/advance': async (body) => {
      const seconds = wholeOf(body, 'seconds', 1, maxSeconds);
      await sequencer.alone(async () => {
        for (const chain of [l1, l2]) await chain.later(seconds);
        for (const chain of [l1, l2]) await chain.ask('evm_mine', []);
      });
      return { seconds };
    },
    '/challenge': async (body) => {
      const game = gameOf(body);
      await challenge(l1, game);
      return { game };
    },
    '/resolve': async (body) => {
      const game = gameOf(body);
      return { game, outcome: await resolveGame(l1, game) };
    },
    '/blacklist': async (body) => {
      const game = gameOf(body);
      await blacklist(l1, contracts, game);
      return { game };
    },
    '/reorg': async (body) => {
      const name = body['chain'];
      if (name !== 'l1' && name !== 'l2') throw new BadBody('chain must be "l1" or "l2"');
      const keep = body['keep'] ?? false;
      if (typeof keep !== 'boolean') throw new BadBody('keep must be true or false');
      const chain = name === 'l1' ? l1 : l2;
      const blocks = await sequencer.alone(async () => {
        const depth = depthOf(body, Number(await chain.reader.getBlockNumber()), floor[name]);
        await reorganize(chain, depth, keep);
        return depth;
      });
      proposer.onReorganization();
      await sequencer.catchUp();
      return { chain: name, blocks, keep };
    },
  };
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: deps.port,
    idleTimeout: 120,
    async fetch(request) {
      const handle = routes[new URL(request.url).pathname];
      if (handle === undefined) return answer(404, { message: 'no such control', controls: Object.keys(routes) });
      if (request.method !== 'POST') return answer(405, { message: 'POST only' });
      try {
        return answer(200, await handle(await bodyOf(request)));
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        return answer(error instanceof BadBody ? 400 : 409, { message });
      }
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    async stop() {
      await proposer.stop();
      await server.stop(true);
    },
  };
}

function answer(status: number, body: object): Response {
  return Response.json(body, { status });
}

async function bodyOf(request: Request): Promise<Readonly<Record<string, unknown>>> {
  const text = await request.text();
  if (text === '') return {};
  const body: unknown = await new Response(text).json().catch(() => undefined);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new BadBody('the body must be an object');
  return { ...body };
}

function gameOf({ game }: Readonly<Record<string, unknown>>): Address {
  if (typeof game !== 'string' || !isAddress(game, { strict: false })) throw new BadBody('game must be an address');
  return getAddress(game);
}

/** How many blocks are replaced: the last `blocks`, or all from block `from` to the current head. */
function depthOf(body: Readonly<Record<string, unknown>>, head: number, floor: number): number {
  const max = Math.min(deepest, head - floor);
  if (body['from'] === undefined) return wholeOf(body, 'blocks', 1, max);
  return head + 1 - wholeOf(body, 'from', head + 1 - max, head);
}

function wholeOf(body: Readonly<Record<string, unknown>>, name: string, min: number, max: number): number {
  const value = body[name];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max)
    throw new BadBody(`${name} must be a whole number from ${min} to ${max}`);
  return value;
}

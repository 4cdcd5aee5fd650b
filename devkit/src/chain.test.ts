/** The local chain's process: it answers, persists its state, and ends with the process that started it. */
import { expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanupAfterEach } from '../test/cleanups.ts';
import { descendantsOf, runningOf, untilGone } from '../test/process-tree.ts';
import { type ChainOptions, startChain } from './chain.ts';
import { repairChainState } from './repair-chain-state.ts';

const cleanups = cleanupAfterEach();

async function start(options: ChainOptions = {}) {
  const chain = await startChain(options);
  cleanups.add(chain.stop);
  return chain;
}

async function call(url: string, method: string, params: unknown[] = []): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const body: unknown = await response.json();
  return typeof body === 'object' && body !== null && 'result' in body ? body.result : body;
}

/** Starts a process that owns a chain, for tests that kill the process. */
async function startHolder(stateFile: string) {
  const script = join(import.meta.dir, '..', 'test', 'hold-chain.ts');
  const holder = Bun.spawn([process.execPath, script, stateFile], { stdout: 'pipe', stderr: 'inherit' });
  cleanups.add(() => holder.kill('SIGKILL'));
  const { value } = await holder.stdout.getReader().read();
  return { holder, url: new TextDecoder().decode(value).trim(), below: descendantsOf(holder.pid) };
}

test('a chain answers with its chain id on a free port', async () => {
  const chain = await start({ chainId: 4242 });
  expect(await call(chain.url, 'eth_chainId')).toBe('0x1092');
  expect(new URL(chain.url).hostname).toBe('127.0.0.1');
});

test('a stopped chain leaves no process', async () => {
  const before = descendantsOf(process.pid);
  const chain = await startChain();
  const below = descendantsOf(process.pid).filter((pid) => !before.includes(pid));
  expect(below).toContain(chain.pid);
  await chain.stop();
  expect(runningOf(below)).toEqual([]);
});

test('a chain with a state file continues where it was stopped (contract/running#development)', async () => {
  const stateFile = join(cleanups.directory(), 'chain.json');
  const first = await startChain({ stateFile });
  await call(first.url, 'anvil_mine', ['0x5']);
  await first.stop();
  const second = await start({ stateFile });
  expect(await call(second.url, 'eth_blockNumber')).toBe('0x5');
});

test('kill -9 of the parent ends the chain, with its state written', async () => {
  const stateFile = join(cleanups.directory(), 'chain.json');
  const { holder, url, below } = await startHolder(stateFile);
  await call(url, 'anvil_mine', ['0x3']);
  expect(below.length).toBeGreaterThanOrEqual(2);
  holder.kill('SIGKILL');
  await untilGone(below);
  const restarted = await start({ stateFile });
  expect(await call(restarted.url, 'eth_blockNumber')).toBe('0x3');
});

test('a chain that was killed is reported as ended, and its guard goes with it', async () => {
  const before = descendantsOf(process.pid);
  const chain = await start();
  const below = descendantsOf(process.pid).filter((pid) => !before.includes(pid));
  process.kill(chain.pid, 'SIGKILL');
  expect(await chain.exited).toBe(137);
  expect(runningOf(below)).toEqual([]);
});

test('a port that is taken fails the start with the end of the chain’s log', async () => {
  const chain = await start();
  await expect(startChain({ port: chain.port })).rejects.toThrow('Address already in use');
});

test('a damaged state file gives way to the last good one', async () => {
  const file = join(cleanups.directory(), 'chain.json');
  writeFileSync(file, '{"block":1}');
  expect(repairChainState(file)).toBeUndefined();
  writeFileSync(file, '{"block":');
  expect(repairChainState(file)).toContain('the copy from the previous start is used');
  expect(readFileSync(file, 'utf8')).toBe('{"block":1}');
});

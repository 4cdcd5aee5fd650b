/** Ctrl-C during a command of several programs ends the running program and starts no other. */

import { expect, test } from 'bun:test';
import { pathToFileURL } from 'node:url';

const runChild = pathToFileURL(`${import.meta.dir}/../../scripts/run-child.mjs`).href;

const command = `
  const { runChild } = await import(${JSON.stringify(runChild)});
  const first = await runChild('sh', ['-c', 'echo first; exec sleep 600']);
  const second = await runChild('sh', ['-c', 'echo second']);
  console.log(JSON.stringify([first, second]));
`;

test.each(['SIGINT', 'SIGTERM'] as const)('after %s no other child is started', async (signal) => {
  const child = Bun.spawn(['node', '--input-type=module', '--eval', command], { stdout: 'pipe', stderr: 'inherit' });
  let output = '';
  let isSent = false;
  const decoder = new TextDecoder();
  for await (const part of child.stdout) {
    output += decoder.decode(part, { stream: true });
    if (!isSent && output.includes('first')) {
      isSent = true;
      child.kill(signal);
    }
  }
  const code = signal === 'SIGINT' ? 130 : 143;
  expect(output).toBe(`first\n${JSON.stringify([code, 130])}\n`);
  expect(await child.exited).toBe(0);
});

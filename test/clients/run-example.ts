/** Runs an example as a reader would: in a separate process, with only the given environment. */

import { join } from 'node:path';

export const examples = join(import.meta.dir, '../../client/examples');

export async function runExample(file: string, environment: Readonly<Record<string, string>>) {
  const command = file.endsWith('.sh') ? ['sh', join(examples, file)] : [process.execPath, join(examples, file)];
  const child = Bun.spawn(command, {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [code, output, errors] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  return { code, output, errors };
}

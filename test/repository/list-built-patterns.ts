/**
 * Loads files of the project and prints, for each, the regular expressions that it builds while it is loaded: `{
 * "file": ["/…/u"] }`.
 */

import { join } from 'node:path';

const projectRoot = join(import.meta.dir, '../..');

const built: Record<string, string[]> = {};
const original = globalThis.RegExp;
globalThis.RegExp = new Proxy(original, {
  construct(target, [pattern, flags]: [string | RegExp, string?]) {
    const regex = new target(pattern, flags);
    const file = callers(new Error().stack ?? '').find((each) => built[each] !== undefined);
    if (file !== undefined) built[file]?.push(String(regex));
    return regex;
  },
});

function callers(stack: string): readonly string[] {
  return stack.split('\n').flatMap((line) => {
    const start = line.indexOf(`${projectRoot}/`);
    return start < 0 ? [] : [line.slice(start + projectRoot.length + 1).split(':', 1)[0] ?? ''];
  });
}

const files = process.argv.slice(2);
for (const file of files) built[file] = [];
for (const file of files) await import(join(projectRoot, file));
process.stdout.write(JSON.stringify(built));

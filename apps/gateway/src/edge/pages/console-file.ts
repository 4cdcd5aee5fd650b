/** Finds the console's bundle: inside the executable, or next to the sources. */

import { type ConsoleBundle, readConsoleBundle } from './console-bundle.ts';

const packName = 'console.pack';
const packFile = new URL(`../../../console/${packName}`, import.meta.url);

/** Reads the bundle at the first call, because it may never be requested, and stores it. Undefined: this installation was built without the console. */
export function createConsoleFile(): () => Promise<ConsoleBundle | undefined> {
  let read: Promise<ConsoleBundle | undefined> | undefined;
  return () => (read ??= readPack());
}

async function readPack(): Promise<ConsoleBundle | undefined> {
  const embedded = Bun.embeddedFiles.find((file) => 'name' in file && file.name === packName);
  const pack = embedded ?? Bun.file(packFile);
  if (embedded === undefined && !(await Bun.file(packFile).exists())) return undefined;
  return readConsoleBundle(new Uint8Array(await pack.arrayBuffer()));
}

/** Copies the license next to the package.json of the packed workspace: `npm pack` takes it only from there. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

copyFileSync(fileURLToPath(new URL('../LICENSE', import.meta.url)), join(process.cwd(), 'LICENSE'));

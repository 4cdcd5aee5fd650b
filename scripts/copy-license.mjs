/** Copies the license beside the package.json that is packed: `npm pack` takes it only from there. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

copyFileSync(fileURLToPath(new URL('../LICENSE', import.meta.url)), join(process.cwd(), 'LICENSE'));

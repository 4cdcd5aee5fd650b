/** `npm run check`: type check and lint only. */
import { ensureInstalled } from './ensure-installed.mjs';
import { runStaticChecks } from './static-checks.mjs';

await ensureInstalled();
const { failed } = await runStaticChecks();
process.exitCode = failed === 0 ? 0 : 1;

/** The time that a test, or a hook, may take before it counts as hung: long, so that a busy machine fails none. Preloaded by bunfig.toml, for each file with `--parallel`; without it, Bun keeps it for the first file only. */

import { setDefaultTimeout } from 'bun:test';

setDefaultTimeout(60_000);

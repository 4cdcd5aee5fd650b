/** The time that a test, or a hook, may take before it counts as hung: long, so that a busy machine fails none. Preloaded by bunfig.toml. */

import { setDefaultTimeout } from 'bun:test';

setDefaultTimeout(60_000);

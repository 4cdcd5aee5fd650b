/**
 * The time after which a test or hook counts as hung. The longest test computes for 25 s, and a busy machine may give
 * it a fifth of a core. Preloaded by bunfig.toml for each file with `--parallel`; without that option, Bun applies the
 * limit to the first file only.
 */

import { setDefaultTimeout } from 'bun:test';

setDefaultTimeout(180_000);

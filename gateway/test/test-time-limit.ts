/**
 * The time after which a test, or a hook, counts as hung: long, so that a busy machine fails no test. Preloaded by bunfig.toml for each file with `--parallel`; without it, Bun applies it
 * to the first file only.
 */

import { setDefaultTimeout } from 'bun:test';

setDefaultTimeout(60_000);

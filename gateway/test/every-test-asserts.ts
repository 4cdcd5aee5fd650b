/** Fails each test that ends without having called `expect`: one that looks at nothing, or whose loop found nothing to look at, proves nothing. Preloaded by bunfig.toml. */

import { beforeEach, expect } from 'bun:test';

beforeEach(() => {
  expect.hasAssertions();
});

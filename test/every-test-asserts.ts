/** Fails each test that ends without having called `expect`: a test that checks nothing, or whose loop had no items, proves nothing. Preloaded by bunfig.toml. */

import { beforeEach, expect } from 'bun:test';

beforeEach(() => {
  expect.hasAssertions();
});

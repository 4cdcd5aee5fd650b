/**
 * Fails each test that ends without calling `expect`, including a test whose loop had no items. Preloaded by
 * bunfig.toml.
 */

import { beforeEach, expect } from 'bun:test';

beforeEach(() => {
  expect.hasAssertions();
});

import { expect, test } from 'bun:test';
import { createContentFilter } from '@flowgate/content-filter/content-filter';
import { toolNames } from './tool-names.ts';

test('the content filter refuses the name of every tool at /mcp (contract/agents#tools)', () => {
  const filter = createContentFilter({ disable: [], rules: [], toolNames });
  const refusing = toolNames.map((name) => filter({ step: { title: `Then ${name} it` } }).denial?.ruleId);
  expect(toolNames.length).toBeGreaterThan(8);
  expect(new Set(refusing)).toEqual(new Set(['agent-instructions']));
});

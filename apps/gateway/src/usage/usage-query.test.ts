/** Times within a bucket. */

import { expect, test } from 'bun:test';
import { parseUsageQuestion } from './usage-query.ts';

test('first and last bucket are whole, because rolled-up usage cannot be split', () => {
  const query = new URLSearchParams({ bucket: 'hour', from: '2026-11-23T08:10:00Z', to: '2026-11-23T10:30:00Z' });
  const question = parseUsageQuestion(query, 'alice', Date.parse('2026-11-23T12:00:00Z'));
  if (!question.ok) throw new Error('refused');
  expect(new Date(question.value.fromMs).toISOString()).toBe('2026-11-23T08:00:00.000Z');
  expect(new Date(question.value.toMs).toISOString()).toBe('2026-11-23T11:00:00.000Z');
});

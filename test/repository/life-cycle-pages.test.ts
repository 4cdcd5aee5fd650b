/** The life cycles of sessions and subscriptions in docs/contract have the code's statuses. */

import { expect, test } from 'bun:test';
import { sessionStatuses } from '@flowgate/flow-format/manifest/registry-members';
import { subscription } from '../../apps/gateway/src/flow/events/subscription-wire.ts';
import { page } from './doc-pages.ts';

/** The states of the first diagram below a heading. */
async function statesOf(name: string, heading: string): Promise<readonly string[]> {
  const [, section = ''] = (await page(`contract/${name}.md`)).split(`\n## ${heading}\n`);
  const [, lines = ''] = /```mermaid\nstateDiagram-v2\n([\s\S]*?)```/.exec(section) ?? [];
  const named = [...lines.matchAll(/^ {2}(\S+) --> (\S+?)(?:: .+)?$/gm)].flatMap(([, from = '', to = '']) => [
    from,
    to,
  ]);
  return [...new Set(named)].filter((state) => state !== '[*]').toSorted();
}

test('the life cycle of a session has exactly the statuses of the code', async () => {
  expect(await statesOf('sessions', 'Life cycle')).toEqual([...sessionStatuses].toSorted());
});

test('the life cycle of a subscription has exactly the statuses of the code', async () => {
  expect(await statesOf('events', 'Subscriptions')).toEqual([...subscription.schema().shape.status.options].toSorted());
});

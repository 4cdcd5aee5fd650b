/** The table of actions in `docs/contract/audit.md` lists every action that the code writes to the audit log. */

import { expect, test } from 'bun:test';
import { auditActions } from '../../apps/gateway/src/audit/audit-note.ts';
import { page, tableAfter } from './doc-pages.ts';

test('the contract lists exactly the actions of the audit log, in order, each with target and meaning', async () => {
  const rows = tableAfter(await page('contract/audit.md'), '## Actions');
  expect(rows.map(([name = '']) => name.replaceAll('`', ''))).toEqual([...auditActions]);
  for (const [name, target = '', when = ''] of rows)
    expect([name, target.length > 0, when.length > 10]).toEqual([name, true, true]);
});

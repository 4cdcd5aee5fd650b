/** The table of actions in `docs/contract/audit.md` lists what the code can write to the audit log. */

import { expect, test } from 'bun:test';
import { auditActions } from '../../apps/gateway/src/audit/audit-note.ts';
import { page, tableAfter } from './document-part.ts';

test('the contract lists every action of the audit log with its target and meaning, in order, and no other', async () => {
  const rows = tableAfter(await page('contract/audit.md'), '## Actions');
  expect(rows.map(([name = '']) => name.replaceAll('`', ''))).toEqual([...auditActions]);
  for (const [name, target = '', when = ''] of rows)
    expect([name, target.length > 0, when.length > 10]).toEqual([name, true, true]);
});

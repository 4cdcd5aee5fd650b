/**
 * Fills a database with global policies, none of which denies calls of the bench: the decision is measured, not a
 * refusal.
 */
import { Database } from 'bun:sqlite';

const atMs = 1_800_000_000_000;

/** Policies of every kind that a JSON-RPC call evaluates; the first one allows all users the methods of `eth`. */
function policyAt(
  at: number,
): readonly [effect: string, subject: string, kind: string, id: string, methods: string | null] {
  if (at === 0) return ['allow', '*', 'network', 'ethereum/bench', '["eth_*"]'];
  const user = `user:nouser-${at}`;
  if (at % 4 === 0) return ['deny', user, 'network', '*', null];
  if (at % 4 === 1) return ['deny', user, 'network', 'ethereum/bench', '["eth_get*","eth_block*"]'];
  if (at % 4 === 2) return ['deny', '*', 'contract', `ethereum/bench/0x${at.toString(16).padStart(40, '0')}`, null];
  return ['deny', user, 'node', 'fixed-1', null];
}

/** `file`: the database of a gateway that is not running. */
export function fillWithPolicies(file: string, policies: number): void {
  const database = new Database(file);
  const insert = database.prepare(`INSERT INTO firewall_policies
    (policy_id, owner_id, effect, subjects, resource_kind, resource_id, methods, created_at, updated_at, revision)
    VALUES (?, '', ?, ?, ?, ?, ?, ?, ?, 1)`);
  database.transaction(() => {
    for (let at = 0; at < policies; at++) {
      const [effect, subject, kind, id, methods] = policyAt(at);
      const policyId = `pol_${String(at).padStart(26, '0')}`;
      insert.run(policyId, effect, JSON.stringify([subject]), kind, id, methods, atMs + at, atMs + at);
    }
    database.run("INSERT INTO firewall_owners (owner_id, policies, revision) VALUES ('', ?, 1)", [policies]);
    database.run("INSERT INTO revisions (name, revision) VALUES ('policies', 1)");
  })();
  database.close();
}

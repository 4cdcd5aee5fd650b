/** The audit log over HTTP, and `flowgate verify-audit` (contract/administration). */

import { Database as Sqlite } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { systemClock } from '@flowgate/base/clock';
import { isoTime } from '@flowgate/base/iso-time';
import { isJsonObject, type JsonObject } from '@flowgate/json/json-object';
import { auditActions } from '../../apps/gateway/src/audit/audit-note.ts';
import { expectStandardError, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { runFlowgate } from '../../apps/gateway/test/fixtures/run-flowgate.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ config: { limits: { userPerMinute: 100_000 } } });
});
afterAll(() => gateway.stop());

const bearer = (sub: string, claims = {}) => ({ Authorization: `Bearer ${gateway.token(sub, claims)}` });
const admin = () => bearer('root', { roles: ['admin'] });
const ask = (query: string, headers: Record<string, string> = admin()) =>
  gateway.fetch(`/admin/audit${query}`, { headers });

async function entries(query: string): Promise<{ data: JsonObject[]; nextCursor?: unknown }> {
  const response = await ask(query);
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const { data, nextCursor } = await jsonBody(response);
  if (!Array.isArray(data)) throw new Error('data is no array');
  return { data: data.filter(isJsonObject), nextCursor };
}

const revoke = (sub: string, keyId: string) =>
  gateway.fetch(`/users/me/api-keys/${keyId}`, { method: 'DELETE', headers: bearer(sub) });

describe('the audit log (contract/audit#entries)', () => {
  test('creating and revoking a key each write an entry with actor, action, time and request', async () => {
    const { keyId, apiKey } = await gateway.mint('writer', { label: 'for the log' });
    const revoked = await revoke('writer', keyId);
    expect(revoked.status).toBe(204);
    expect((await revoke('writer', keyId)).status).toBe(204);
    expect((await revoke('stranger', keyId)).status).toBe(404);
    const { data } = await entries(`?target=${keyId}`);
    const common = { auditId: expect.stringMatching(/^aud_/), at: expect.any(String), actor: 'writer', via: 'token' };
    expect(data).toEqual([
      {
        ...common,
        action: 'key.revoked',
        target: keyId,
        requestId: revoked.headers.get('x-request-id'),
        details: { ownerId: 'writer' },
      },
      {
        ...common,
        action: 'key.created',
        target: keyId,
        requestId: expect.any(String),
        details: { label: 'for the log', scopes: ['rpc'] },
      },
    ]);
    expect(JSON.stringify(data)).not.toContain(apiKey.slice(apiKey.indexOf('.') + 1));
  });

  test('a refused action writes no entry', async () => {
    const refused = await gateway.fetch('/users/me/api-keys', {
      method: 'POST',
      headers: { ...bearer('refused'), 'Content-Type': 'application/json' },
      body: '{}',
    });
    expect(refused.status).toBe(400);
    for (let at = 0; at < 10; at++) await gateway.mint('refused');
    const full = await gateway.fetch('/users/me/api-keys', {
      method: 'POST',
      headers: { ...bearer('refused'), 'Content-Type': 'application/json' },
      body: '{"label":"eleventh"}',
    });
    expect(full.status).toBe(409);
    expect((await entries('?actor=refused&limit=100')).data).toHaveLength(10);
  });

  test('an app that an API key registers has an entry with that credential', async () => {
    const { apiKey } = await gateway.mint('publisher');
    const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ appId: 'audited/app', name: 'Audited' });
    const register = () => gateway.fetch('/flow/registry/apps', { method: 'POST', headers, body });
    expect((await register()).status).toBe(201);
    expect((await register()).status).toBe(409);
    const { data } = await entries('?action=app.registered&actor=publisher');
    expect(data).toMatchObject([{ via: 'key', target: 'audited/app', details: { name: 'Audited' } }]);
  });

  test('pages return every entry once, newest first, with each filter and all filters together (contract/conventions#lists)', async () => {
    const from = isoTime(systemClock.now());
    const keyIds: string[] = [];
    for (let at = 0; at < 7; at++) keyIds.unshift((await gateway.mint('pager')).keyId);
    for (const filter of [
      'actor=pager',
      `after=${from}&action=key.created`,
      `actor=pager&action=key.created&after=${from}`,
    ]) {
      const visited: unknown[] = [];
      let cursor = '';
      for (let pages = 0; pages < 10; pages++) {
        const { data, nextCursor } = await entries(`?${filter}&limit=3${cursor}`);
        visited.push(...data.map(({ target }) => target));
        if (nextCursor === undefined) break;
        cursor = `&cursor=${String(nextCursor)}`;
      }
      expect([filter, visited]).toEqual([filter, keyIds]);
    }
    expect((await entries(`?actor=pager&before=${from}`)).data).toEqual([]);
    expect((await entries(`?actor=pager&action=key.revoked`)).data).toEqual([]);
    expect((await entries('?actor=nouser&limit=1')).data).toEqual([]);
  });

  test.each([
    ['action=key.stolen', 'action'],
    ['action=key.created&action=key.revoked', 'action'],
    ['actor=', 'actor'],
    [`target=${'x'.repeat(1_025)}`, 'target must have'],
    ['after=yesterday', 'after'],
    ['before=2026-02-30T00:00:00Z', 'before'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['cursor=bm9uc2Vuc2U', 'cursor'],
  ])('%.40s is 400, and the message names %s', async (query, member) => {
    const response = await ask(`?${query}`);
    const expected = { status: 400, error: 'Bad request', path: '/admin/audit' };
    expect(await expectStandardError(response, expected)).toContain(member);
  });

  test('every action of the closed list is accepted as a filter', async () => {
    for (const action of auditActions) expect((await ask(`?action=${action}&limit=1`)).status).toBe(200);
  });
});

describe('access to administration (contract/administration#who-may)', () => {
  test('on every route below /admin, an API key is 403, a token without the role 403, no credential 401', async () => {
    const document = await jsonBody(await gateway.fetch('/openapi.json'));
    const paths = isJsonObject(document['paths']) ? document['paths'] : {};
    const { apiKey } = await gateway.mint('plain');
    let asked = 0;
    for (const [path, item] of Object.entries(paths)) {
      if (!path.startsWith('/admin') || !isJsonObject(item)) continue;
      for (const method of ['get', 'put', 'post', 'patch', 'delete'].filter((each) => each in item)) {
        const at = path.replaceAll(/\{\w+\}/g, 'x');
        const send = (headers: Record<string, string>) =>
          gateway.fetch(at, {
            method: method.toUpperCase(),
            headers: {
              ...headers,
              ...(method === 'get' || method === 'delete' ? {} : { 'Content-Type': 'application/json' }),
            },
            ...(method === 'get' || method === 'delete' ? {} : { body: '{}' }),
          });
        const statuses = [
          (await send({ 'X-API-Key': apiKey })).status,
          (await send(bearer('plain'))).status,
          (await send(bearer('plain', { roles: ['Admin', 'administrator'] }))).status,
          (await send({})).status,
        ];
        expect([method, path, ...statuses]).toEqual([method, path, 403, 403, 403, 401]);
        asked += 1;
      }
    }
    expect(asked).toBeGreaterThan(0);
  });
});

describe('flowgate verify-audit (contract/audit#verification)', () => {
  const verify = (...args: readonly string[]) =>
    runFlowgate(['verify-audit', '--config', gateway.configFile, ...args], {
      FLOWGATE_PEPPER: 'pepper-for-tests-0123456789abcdefghijk',
    });

  test('while a gateway runs, it exits with 0 for a valid log, also after a restart, and with 1 for a broken one, naming the entry', async () => {
    await gateway.mint('checked');
    await gateway.restart();
    await gateway.mint('checked');
    const sound = await verify();
    expect([sound.code, sound.stderr]).toEqual([0, '']);
    expect(sound.stdout).toMatch(/^chn_\w{26}: \d+ entries, SHA-256 of the last [0-9a-f]{64}$/m);
    expect(sound.stdout).toMatch(/The audit log is sound: \d+ entries in \d+ chains\.\n$/);

    const { data } = await entries('?actor=checked');
    const auditId = String(data.at(-1)?.['auditId']);
    const file = new Sqlite(gateway.databaseFile);
    expect(() => file.run("UPDATE audit_entries SET actor = 'eve' WHERE audit_id = ?", [auditId])).toThrow(
      'append-only',
    );
    file.run('DROP TRIGGER audit_entries_no_update');
    file.run("UPDATE audit_entries SET actor = 'eve' WHERE audit_id = ?", [auditId]);
    file.close();
    const broken = await verify();
    expect(broken.code).toBe(1);
    expect(broken.stdout).toContain(auditId);
    const json = await verify('--json');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ sound: false, fault: { auditId } });
  });

  test('a missing database is exit code 1, an invalid configuration 2', async () => {
    const config = await Bun.file(gateway.configFile).text();
    const file = join(gateway.directory, 'elsewhere.yaml');
    await Bun.write(file, config.replace(gateway.databaseFile, join(gateway.directory, 'none.db')));
    const environment = { FLOWGATE_PEPPER: 'pepper-for-tests-0123456789abcdefghijk' };
    const absent = await runFlowgate(['verify-audit', file], environment);
    expect([absent.code, absent.stdout]).toEqual([1, '']);
    expect(absent.stderr).toContain('there is no file');
    await Bun.write(file, 'keys: 1');
    expect((await runFlowgate(['verify-audit', file], environment)).code).toBe(2);
    expect((await runFlowgate(['verify-audit'], environment)).code).toBe(2);
  });
});

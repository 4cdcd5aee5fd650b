import { expect, test } from 'bun:test';
import { maintenanceNotice } from './maintenance-notice.ts';
import type { MaintenanceRecord } from './maintenance-store.ts';

const told = { message: 'The gateway is under maintenance.', retryAfterSeconds: 60 };
const refused = (more: Partial<MaintenanceRecord>) =>
  maintenanceNotice({ active: true, retryAfterSeconds: 60, ...more });

test('nothing is refused before anything was set, and after it was ended, whatever it named (contract/administration#maintenance)', () => {
  expect(maintenanceNotice(undefined)).toBeUndefined();
  expect(refused({ active: false, surfaces: ['rpc'], networks: ['a/b'] })).toBeUndefined();
});

test('surfaces and networks mean what the contract says (contract/administration#maintenance)', () => {
  expect(refused({})).toEqual({ ...told, rpc: 'all', rest: true, flow: true });
  expect(refused({ surfaces: ['rest'] })).toEqual({ ...told, rpc: undefined, rest: true, flow: false });
  expect(refused({ surfaces: ['rpc', 'flow'] })).toEqual({ ...told, rpc: 'all', rest: false, flow: true });
  expect(refused({ networks: ['a/b'] })).toEqual({ ...told, rpc: new Set(['a/b']), rest: false, flow: false });
  expect(refused({ surfaces: ['rpc', 'rest'], networks: ['a/b'] })).toEqual({
    ...told,
    rpc: new Set(['a/b']),
    rest: true,
    flow: false,
  });
  expect(refused({ surfaces: ['flow'], networks: ['a/b'] })).toEqual({
    ...told,
    rpc: undefined,
    rest: false,
    flow: true,
  });
  expect(refused({ message: 'Back soon.', retryAfterSeconds: 5 })).toMatchObject({
    message: 'Back soon.',
    retryAfterSeconds: 5,
  });
});

/** Compares the view of a gateway with the model: records that are missing, duplicated or wrong. */

import type { SimBridge } from '../../apps/gateway/test/fixtures/sim-bridge.ts';
import { type Expected, expectedView } from './expected.ts';
import type { SeenRecord, SeenView } from './seen.ts';

export type Differences = {
  readonly gaps: readonly string[];
  readonly doubles: readonly string[];
  readonly wrong: readonly string[];
};

export const noDifferences: Differences = { gaps: [], doubles: [], wrong: [] };
export const countOf = ({ gaps, doubles, wrong }: Differences) => gaps.length + doubles.length + wrong.length;

type Kind = {
  readonly name: string;
  readonly expected: readonly Expected[];
  readonly seen: readonly SeenRecord[];
  readonly keyOf: (record: SeenRecord) => string;
  readonly idOf: (record: SeenRecord) => string;
  /** Whether a record that is on no chain may be reported. */
  readonly mayBeLost: (record: SeenRecord) => boolean;
};

export function differences(bridge: SimBridge, seen: SeenView, confirmations: number): Differences {
  const expected = expectedView(bridge, confirmations);
  /** The allowed states of a transaction that is on no chain: over, if another transaction has used its nonce; waiting, while its nonce is free. */
  const lostAs = (side: 'l1' | 'l2', hash: unknown): { readonly over: boolean; readonly waiting: boolean } => {
    const chain = bridge.chains[side];
    const known = chain.known(String(hash));
    if (known === undefined || chain.mined(String(hash)) !== undefined) return { over: false, waiting: false };
    return { over: chain.hadRival(known), waiting: chain.nonce(known.from) <= known.nonce };
  };
  const swaps = nthOfTransaction(seen.history.filter((entry) => entry['type'] === 'swap'));
  const kinds: readonly Kind[] = [
    {
      ...{ name: 'deposit', expected: expected.deposits, seen: seen.deposits },
      keyOf: (record) => `${record['l1TransactionHash']} ${record['l1LogIndex']}`,
      idOf: (record) => String(record['depositId']),
      mayBeLost(record) {
        const { over, waiting } = lostAs('l1', record['l1TransactionHash']);
        return (
          (waiting && record.status === 'pending') ||
          (over && record.status === 'failed' && record['failureReason'] === 'reorganised')
        );
      },
    },
    {
      ...{ name: 'withdrawal', expected: expected.withdrawals, seen: seen.withdrawals },
      keyOf: (record) => String(record['withdrawalHash']),
      idOf: (record) => String(record['withdrawalId']),
      mayBeLost(record) {
        const { over, waiting } = lostAs('l2', record['l2TransactionHash']);
        return (waiting && record.status === 'initiated') || (over && record.status === 'failed');
      },
    },
    {
      ...{ name: 'swap', expected: expected.swaps, seen: swaps },
      keyOf: (record) => `${swapHash(record)} ${record['nth']}`,
      idOf: (record) => String(record['id']),
      mayBeLost: (record) => record.status === 'failed' && lostAs('l2', swapHash(record)).over,
    },
  ];
  const all = kinds.map(ofKind);
  const history = ofHistory(seen);
  return {
    gaps: [...all.flatMap(({ gaps }) => gaps), ...history.gaps],
    doubles: [...all.flatMap(({ doubles }) => doubles), ...history.doubles],
    wrong: [...all.flatMap(({ wrong }) => wrong), ...history.wrong],
  };
}

function ofKind({ name, expected, seen, keyOf, idOf, mayBeLost }: Kind): Differences {
  const byKey = Map.groupBy(seen, keyOf);
  const wanted = new Map(expected.map((each) => [each.key, each]));
  const gaps = expected.filter(({ key }) => !byKey.has(key)).map(({ key }) => `${name} ${key} is missing`);
  const doubles = [...byKey].flatMap(([key, found]) =>
    found.length > 1 && wanted.has(key) ? `${name} ${key} is reported ${found.length} times` : [],
  );
  const twice = [...Map.groupBy(seen, idOf)].filter(([, found]) => found.length > 1);
  const wrong = seen.flatMap((record) => {
    const model = wanted.get(keyOf(record));
    if (model === undefined)
      return mayBeLost(record) ? [] : `${name} ${keyOf(record)} is on no chain: ${JSON.stringify(record)}`;
    return complaints(record, model).map((complaint) => `${name} ${model.key} (${model.what}): ${complaint}`);
  });
  return { gaps, doubles: [...doubles, ...twice.map(([id]) => `${name} ${id} is reported twice`)], wrong };
}

function complaints(record: SeenRecord, { statuses, members }: Expected): readonly string[] {
  const others = Object.entries(members).flatMap(([member, value]) =>
    plain(record[member]) === plain(value) ? [] : `${member} is ${record[member]}, not ${value}`,
  );
  return statuses.includes(record.status)
    ? others
    : [`is ${record.status} (${record['failureReason'] ?? record['blockers'] ?? ''}), not ${statuses}`, ...others];
}

const plain = (value: unknown) => String(value).toLowerCase();

/** The history has every deposit and withdrawal once, with the status of its own list. */
function ofHistory({ deposits, withdrawals, history }: SeenView): Differences {
  const lists = [
    ...deposits.map((record) => [String(record['depositId']), record.status] as const),
    ...withdrawals.map((record) => [String(record['withdrawalId']), record.status] as const),
  ];
  const entries = Map.groupBy(history, ({ id }) => String(id));
  return {
    gaps: lists.filter(([id]) => !entries.has(id)).map(([id]) => `the history has no ${id}`),
    doubles: [...entries].filter(([, found]) => found.length > 1).map(([id]) => `the history has ${id} twice`),
    wrong: lists.flatMap(([id, status]) => {
      const reported = entries.get(id)?.[0]?.status;
      return reported === undefined || reported === status
        ? []
        : `the history has ${reported} for ${id}, the list ${status}`;
    }),
  };
}

function swapHash(record: SeenRecord): string {
  const { transactions } = record;
  const [first]: readonly unknown[] = Array.isArray(transactions) ? transactions : [];
  return typeof first === 'object' && first !== null && 'hash' in first ? String(first.hash) : '';
}

/** The history does not number the swaps of a transaction: they are numbered in the order of the list. */
function nthOfTransaction(swaps: readonly SeenRecord[]): readonly SeenRecord[] {
  return [...Map.groupBy(swaps, swapHash).values()].flatMap((found) => found.map((each, nth) => ({ ...each, nth })));
}

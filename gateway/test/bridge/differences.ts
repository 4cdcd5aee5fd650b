/** Holds what a gateway tells against the model: what is missing, told twice, or wrong. */

import type { SimBridge } from '../fixtures/sim-bridge.ts';
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
  /** Whether a record may be told that is on no chain. */
  readonly mayBeLost: (record: SeenRecord) => boolean;
};

export function differences(bridge: SimBridge, seen: SeenView, confirmations: number): Differences {
  const expected = expectedView(bridge, confirmations);
  const isMined = (side: 'l1' | 'l2', hash: unknown) => bridge.chains[side].mined(String(hash)) !== undefined;
  /** Nobody can mine it any more. */
  const isSpent = (side: 'l1' | 'l2', hash: unknown) => {
    const known = bridge.chains[side].known(String(hash));
    return known !== undefined && bridge.chains[side].nonce(known.from) > known.nonce;
  };
  const swaps = nthOfTransaction(seen.history.filter((entry) => entry['type'] === 'swap'));
  const kinds: readonly Kind[] = [
    {
      ...{ name: 'deposit', expected: expected.deposits, seen: seen.deposits },
      keyOf: (record) => `${record['l1TransactionHash']} ${record['l1LogIndex']}`,
      idOf: (record) => String(record['depositId']),
      mayBeLost: (record) =>
        !isMined('l1', record['l1TransactionHash']) &&
        (isSpent('l1', record['l1TransactionHash'])
          ? record.status === 'failed' && record['failureReason'] === 'reorganised'
          : record.status === 'pending'),
    },
    {
      ...{ name: 'withdrawal', expected: expected.withdrawals, seen: seen.withdrawals },
      keyOf: (record) => String(record['withdrawalHash']),
      idOf: (record) => String(record['withdrawalId']),
      mayBeLost: (record) =>
        !isMined('l2', record['l2TransactionHash']) &&
        record.status === (isSpent('l2', record['l2TransactionHash']) ? 'failed' : 'initiated'),
    },
    {
      ...{ name: 'swap', expected: expected.swaps, seen: swaps },
      keyOf: (record) => `${swapHash(record)} ${record['nth']}`,
      idOf: (record) => String(record['id']),
      mayBeLost: (record) => !isMined('l2', swapHash(record)) && record.status === 'failed',
    },
  ];
  const has = seen.history.length > 0;
  const all = (has ? kinds : kinds.slice(0, 2)).map(ofKind);
  const history = has ? ofHistory(seen) : noDifferences;
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
    found.length > 1 && wanted.has(key) ? `${name} ${key} is told ${found.length} times` : [],
  );
  const twice = [...Map.groupBy(seen, idOf)].filter(([, found]) => found.length > 1);
  const wrong = seen.flatMap((record) => {
    const model = wanted.get(keyOf(record));
    if (model === undefined)
      return mayBeLost(record) ? [] : `${name} ${keyOf(record)} is on no chain: ${JSON.stringify(record)}`;
    return complaints(record, model).map((complaint) => `${name} ${model.key}: ${complaint}`);
  });
  return { gaps, doubles: [...doubles, ...twice.map(([id]) => `${name} ${id} is told twice`)], wrong };
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

/** The history has every deposit and withdrawal, each once and with the status of its own list. */
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
      const told = entries.get(id)?.[0]?.status;
      return told === undefined || told === status ? [] : `the history tells ${told} of ${id}, the list ${status}`;
    }),
  };
}

function swapHash(record: SeenRecord): string {
  const { transactions } = record;
  const [first]: readonly unknown[] = Array.isArray(transactions) ? transactions : [];
  return typeof first === 'object' && first !== null && 'hash' in first ? String(first.hash) : '';
}

/** The history does not tell which of a transaction's swaps one is: they are numbered as they come. */
function nthOfTransaction(swaps: readonly SeenRecord[]): readonly SeenRecord[] {
  return [...Map.groupBy(swaps, swapHash).values()].flatMap((found) => found.map((each, nth) => ({ ...each, nth })));
}

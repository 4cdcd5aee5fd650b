/** The query parameters that lists of deposits, withdrawals and the history share: `?wallet=`, `?after=`, `?before=`, `?limit=`, `?cursor=`. Unknown parameters are refused (contract/bridge#lists). */

import { parseIsoTime } from '@flowgate/base/iso-time';
import { type PageRequest, parsePage } from '@flowgate/base/page';
import { isEvmAddress } from '@flowgate/chain/evm-address';
import { z } from 'zod';
import { evmAddressInput } from '../../api/evm-address-member.ts';
import { onceIn } from '../../api/once-in.ts';
import { pageQuery } from '../../api/page-query.ts';
import type { RouteQueryDoc } from '../../api/route.ts';

export type ListQuery = {
  /** In lower case. */
  readonly wallet?: string;
  readonly page: PageRequest;
  /** Only records later than this: milliseconds since the Unix epoch. */
  readonly newerThanMs?: number;
};

const time = () => z.string().meta({ format: 'date-time' });

/** For the reference. `own`: parameters of this list in addition to the shared ones. */
export function listQuery(own: readonly RouteQueryDoc[]): readonly RouteQueryDoc[] {
  return [
    ...own,
    {
      name: 'wallet',
      description: 'Only records of this linked wallet; an address that is not linked has none.',
      schema: () => evmAddressInput('A wallet.'),
    },
    { name: 'after', description: 'Only records later than this time.', schema: time },
    { name: 'before', description: 'Only records earlier than this time.', schema: time },
    ...pageQuery(20),
  ];
}

const common = ['wallet', 'after', 'before', 'limit', 'cursor'] as const;
/** Unknown names are cut to this length, and at most five are reported. */
const maxNameLength = 64;
const maxUnknownNames = 5;

/** `own`: the names of the list's own parameters. Faults are added to `problems`; the result is valid only without faults. */
export function parseListQuery(
  query: URLSearchParams,
  own: readonly string[],
  isId: (id: string) => boolean,
  problems: string[],
): ListQuery {
  const names = [...own, ...common];
  const unknown = [...new Set(query.keys())].filter((name) => !names.includes(name)).slice(0, maxUnknownNames);
  for (const name of unknown)
    problems.push(`${name.slice(0, maxNameLength)} is no parameter of this list: it has ${names.join(', ')}`);
  const once = onceIn(query, problems);
  const timeOf = (name: 'after' | 'before'): number | undefined => {
    const text = once(name);
    const atMs = text === undefined ? undefined : parseIsoTime(text);
    if (text !== undefined && atMs === undefined)
      problems.push(`${name} must be an ISO 8601 time with a zone, such as 2026-11-22T10:00:00Z`);
    return atMs;
  };
  const page = parsePage(query, { defaultLimit: 20, isId });
  if (!page.ok && page.detail !== undefined) problems.push(page.detail);
  const [newerThanMs, beforeMs] = [timeOf('after'), timeOf('before')];
  const wallet = once('wallet');
  if (wallet !== undefined && !isEvmAddress(wallet))
    problems.push('wallet must be an address: 0x and 40 hexadecimal digits, in mixed case with the checksum of EIP-55');
  return {
    page: page.ok ? olderThan(page.value, beforeMs) : { limit: 1 },
    ...(wallet !== undefined && { wallet: wallet.toLowerCase() }),
    ...(newerThanMs !== undefined && { newerThanMs }),
  };
}

/** The page begins at the earlier of cursor and time, so that the index has one bound. The empty id sorts before every id. */
function olderThan({ limit, after }: PageRequest, beforeMs: number | undefined): PageRequest {
  if (beforeMs === undefined || (after !== undefined && after.atMs < beforeMs))
    return after ? { limit, after } : { limit };
  return { limit, after: { atMs: beforeMs, id: '' } };
}

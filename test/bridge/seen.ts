/** What a gateway reports to a user who has linked all wallets. */

export type SeenRecord = Readonly<Record<string, unknown>> & { readonly status: string };

export type SeenView = {
  readonly deposits: readonly SeenRecord[];
  readonly withdrawals: readonly SeenRecord[];
  readonly history: readonly SeenRecord[];
};

export type Asks = (path: string) => Promise<Response>;

/** All pages; throws when a page is refused. */
export async function seenView(ask: Asks): Promise<SeenView> {
  return {
    deposits: await everyPage(ask, '/users/me/deposits'),
    withdrawals: await everyPage(ask, '/users/me/withdrawals'),
    history: await everyPage(ask, '/users/me/history'),
  };
}

export async function everyPage(ask: Asks, path: string): Promise<readonly SeenRecord[]> {
  const all: SeenRecord[] = [];
  let cursor: string | undefined;
  do {
    const after = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const response = await ask(`${path}?limit=100${after}`);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`);
    const page: { readonly data: readonly SeenRecord[]; readonly nextCursor?: string } = JSON.parse(text);
    all.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return all;
}

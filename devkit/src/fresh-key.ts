/** Mints the key that `npm start` prints, after revoking those of earlier starts. */

export const START_LABEL = 'npm start';

/** Talks to the gateway as its user would. Throws with the gateway's own message when it refuses, as at ten active keys. */
export async function mintFreshKey(gatewayUrl: string, token: string): Promise<string> {
  const keysUrl = `${gatewayUrl}/users/me/api-keys`;
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  for (const keyId of await activeStartKeys(keysUrl, headers)) {
    await answerOf(await fetch(`${keysUrl}/${keyId}`, { method: 'DELETE', headers }));
  }
  const minted = await answerOf(
    await fetch(keysUrl, { method: 'POST', headers, body: JSON.stringify({ label: START_LABEL }) }),
  );
  const apiKey = memberOf(minted, 'apiKey');
  if (typeof apiKey !== 'string') throw new Error('The gateway answered a mint without a key.');
  return apiKey;
}

async function activeStartKeys(keysUrl: string, headers: Record<string, string>): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`;
    const page = await answerOf(await fetch(`${keysUrl}${query}`, { headers }));
    const data = memberOf(page, 'data');
    for (const key of Array.isArray(data) ? data : []) {
      const keyId = memberOf(key, 'keyId');
      const isOurs = memberOf(key, 'label') === START_LABEL && memberOf(key, 'revokedAt') === undefined;
      if (isOurs && typeof keyId === 'string') found.push(keyId);
    }
    const next = memberOf(page, 'nextCursor');
    cursor = typeof next === 'string' ? next : undefined;
  } while (cursor !== undefined);
  return found;
}

async function answerOf(response: Response): Promise<unknown> {
  const text = await response.text();
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  if (response.ok) return body;
  const { status } = response;
  throw Object.assign(new Error(`The gateway answered ${status}: ${String(memberOf(body, 'message') ?? '')}`), {
    status,
  });
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

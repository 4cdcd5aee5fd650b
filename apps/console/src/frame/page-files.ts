/**
 * Loads the files of pages on demand. A file may be missing because the gateway is unavailable, or because an upgrade renamed its files; `fileTrouble` says which. The loader retries
 * until the file is there and never rejects, so the page and the user's input remain.
 */

export type FileTrouble = 'away' | 'upgraded';

const pausesMs = [500, 1_000, 2_000, 4_000];
/** Behind a load balancer, the next request may reach a gateway that is not upgraded yet. */
const triesBeforeUpgraded = 2;

let trouble: FileTrouble | undefined;
const pending = new Map<symbol, FileTrouble>();
const listeners = new Set<() => void>();

export const fileTrouble = {
  current: (): FileTrouble | undefined => trouble,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

function note(load: symbol, found: FileTrouble | undefined): void {
  if (found === undefined) pending.delete(load);
  else pending.set(load, found);
  const all = [...pending.values()];
  const next = all.includes('upgraded') ? 'upgraded' : all[0];
  if (next === trouble) return;
  trouble = next;
  for (const listener of listeners) listener();
}

/** `isPage`: the user is already leaving the previous page, so an upgraded console may reload at once. Otherwise the user decides. */
export function fileLoader<T>(load: () => Promise<T>, { isPage = false } = {}): () => Promise<T> {
  return async () => {
    const id = Symbol('load');
    for (let tries = 1; ; tries++) {
      try {
        const loaded = await load();
        note(id, undefined);
        return loaded;
      } catch {
        const found = (await isUpgraded()) && tries >= triesBeforeUpgraded ? 'upgraded' : 'away';
        note(id, found);
        if (found === 'upgraded' && isPage) location.reload();
        await pause(pausesMs[Math.min(tries, pausesMs.length) - 1] ?? 0);
      }
    }
  };
}

/** True when the gateway's page references another entry script than this page. */
async function isUpgraded(): Promise<boolean> {
  try {
    const response = await fetch('/console/', { cache: 'no-store', headers: { Accept: 'text/html' } });
    return response.ok && entry !== undefined && !(await response.text()).includes(entry);
  } catch {
    return false;
  }
}

const entry = document.querySelector<HTMLScriptElement>('script[type="module"]')?.getAttribute('src') ?? undefined;

/** Resolves early when the device comes back online. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer);
      removeEventListener('online', over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    addEventListener('online', over);
  });
}

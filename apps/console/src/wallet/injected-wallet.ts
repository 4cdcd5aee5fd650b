/** Wallets of browser extensions (EIP-1193), discovered by EIP-6963. */

export type WalletProvider = {
  readonly request: (call: { readonly method: string; readonly params?: readonly unknown[] }) => Promise<unknown>;
  readonly on?: (event: string, listener: (reported: unknown) => void) => unknown;
  readonly removeListener?: (event: string, listener: (reported: unknown) => void) => unknown;
};

export type InjectedWallet = {
  /** Stable across reloads if the wallet announces an `rdns`. */
  readonly id: string;
  readonly name: string;
  /** Data URI of an image. */
  readonly icon: string | undefined;
  readonly provider: WalletProvider;
};

export type InjectedWallets = {
  readonly now: () => readonly InjectedWallet[];
  readonly subscribe: (listener: () => void) => () => void;
};

/** Upper bound, because any extension script can announce wallets. */
const maxWallets = 24;
const maxNameLength = 60;
const maxIconLength = 200_000;

/** Starts listening and asks existing wallets to announce themselves again. */
export function discoverWallets(): InjectedWallets {
  const listeners = new Set<() => void>();
  const found = new Map<string, InjectedWallet>();
  let shown: readonly InjectedWallet[] = legacyWallet();
  addEventListener('eip6963:announceProvider', (event) => {
    const wallet = event instanceof CustomEvent ? announced(event.detail) : undefined;
    if (wallet === undefined || found.size >= maxWallets || found.get(wallet.id)?.provider === wallet.provider) return;
    found.set(wallet.id, wallet);
    shown = [...found.values()];
    for (const listener of listeners) listener();
  });
  dispatchEvent(new Event('eip6963:requestProvider'));
  return {
    now: () => shown,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function announced(detail: unknown): InjectedWallet | undefined {
  const { info, provider } = membersOf(detail);
  const { uuid, rdns, name, icon } = membersOf(info);
  const id = typeof rdns === 'string' && rdns !== '' ? rdns : uuid;
  if (typeof id !== 'string' || !isProvider(provider)) return undefined;
  return {
    ...{ id, provider },
    name: typeof name === 'string' && name.trim() !== '' ? [...name.trim()].slice(0, maxNameLength).join('') : id,
    icon: typeof icon === 'string' && icon.startsWith('data:image/') && icon.length <= maxIconLength ? icon : undefined,
  };
}

/** A wallet without EIP-6963; listed only when no wallet announces itself. */
function legacyWallet(): readonly InjectedWallet[] {
  const provider: unknown = 'ethereum' in window ? window.ethereum : undefined;
  return isProvider(provider) ? [{ id: 'window.ethereum', name: 'Browser wallet', icon: undefined, provider }] : [];
}

const isProvider = (value: unknown): value is WalletProvider => typeof membersOf(value)['request'] === 'function';

export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

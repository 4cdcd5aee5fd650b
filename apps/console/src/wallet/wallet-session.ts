/** The wallet that this tab is connected to: its account and chain, as the wallet tells of them. */
import { accountsOf, addressesIn, chainOf, chooseAccounts } from './ask-wallet.ts';
import { discoverWallets, type InjectedWallet } from './injected-wallet.ts';
import { WalletProblem } from './wallet-problem.ts';

export type ConnectedWallet = {
  readonly wallet: InjectedWallet;
  /** The one that is chosen in the wallet. */
  readonly account: string;
  readonly accounts: readonly string[];
  readonly chainId: number;
};

export type WalletState = {
  readonly wallets: readonly InjectedWallet[];
  readonly connected: ConnectedWallet | undefined;
};

export type WalletSession = {
  readonly state: () => WalletState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Asks the person in the wallet. Throws `WalletProblem`. */
  readonly connect: (wallet: InjectedWallet) => Promise<ConnectedWallet>;
  /** Has the person choose accounts in the connected wallet anew. Throws `WalletProblem`. */
  readonly chooseAccount: () => Promise<void>;
  /** Forgets it here; what the wallet allows this page is undone in the wallet. */
  readonly disconnect: () => void;
};

/** Which wallet it was, so that a reload connects it again without a question. */
const key = 'flowgate.wallet';

export function openWalletSession(): WalletSession {
  const found = discoverWallets();
  const listeners = new Set<() => void>();
  let state: WalletState = { wallets: found.now(), connected: undefined };
  let stopListening = () => {};

  function become(next: WalletState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function follow(wallet: InjectedWallet): void {
    stopListening();
    const { provider } = wallet;
    const change = (more: Partial<ConnectedWallet>) => {
      if (state.connected?.wallet === wallet) become({ ...state, connected: { ...state.connected, ...more } });
    };
    const told: Readonly<Record<string, (detail: unknown) => void>> = {
      accountsChanged(detail) {
        const accounts = addressesIn(detail);
        const [account] = accounts;
        if (account === undefined) disconnect();
        else change({ accounts, account });
      },
      chainChanged(detail) {
        change({ chainId: Number(detail) });
      },
    };
    for (const [event, listener] of Object.entries(told)) provider.on?.(event, listener);
    stopListening = () => {
      for (const [event, listener] of Object.entries(told)) provider.removeListener?.(event, listener);
    };
  }

  async function take(wallet: InjectedWallet, accounts: readonly string[]): Promise<ConnectedWallet> {
    const [account] = accounts;
    if (account === undefined)
      throw new WalletProblem(
        'other-account',
        `${wallet.name} has not shared an account with the console. Allow one in the wallet.`,
      );
    const connected = { wallet, accounts, account, chainId: await chainOf(wallet) };
    sessionStorage.setItem(key, wallet.id);
    follow(wallet);
    become({ ...state, connected });
    return connected;
  }

  function disconnect(): void {
    stopListening();
    sessionStorage.removeItem(key);
    become({ ...state, connected: undefined });
  }

  /** After a reload: only if the wallet still allows it. */
  function reconnect(): void {
    const kept = sessionStorage.getItem(key);
    const wallet = state.connected === undefined ? state.wallets.find(({ id }) => id === kept) : undefined;
    if (wallet === undefined) return;
    accountsOf(wallet, 'eth_accounts')
      .then((accounts) => (accounts.length > 0 && state.connected === undefined ? take(wallet, accounts) : undefined))
      .catch(() => sessionStorage.removeItem(key));
  }

  found.subscribe(() => {
    become({ ...state, wallets: found.now() });
    reconnect();
  });
  reconnect();

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    connect: async (wallet) => take(wallet, await accountsOf(wallet, 'eth_requestAccounts')),
    async chooseAccount() {
      if (state.connected === undefined) return;
      const { wallet } = state.connected;
      await take(wallet, await chooseAccounts(wallet));
    },
    disconnect,
  };
}

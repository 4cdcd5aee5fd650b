/** The connected wallet of this tab, with its current account and chain. */
import { accountsOf, addressesIn, chainOf, chooseAccounts } from './ask-wallet.ts';
import { discoverWallets, type InjectedWallet } from './injected-wallet.ts';
import { WalletProblem } from './wallet-problem.ts';

export type ConnectedWallet = {
  readonly wallet: InjectedWallet;
  /** The account selected in the wallet. */
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
  /** Prompts the user in the wallet. Throws `WalletProblem`. */
  readonly connect: (wallet: InjectedWallet) => Promise<ConnectedWallet>;
  /** Prompts the user to choose accounts again. Throws `WalletProblem`. */
  readonly chooseAccount: () => Promise<void>;
  /** Disconnects in this tab only; the page's permission is revoked in the wallet. */
  readonly disconnect: () => void;
};

/** ID of the last wallet, so that a reload reconnects it without a prompt. */
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
    const reported: Readonly<Record<string, (detail: unknown) => void>> = {
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
    for (const [event, listener] of Object.entries(reported)) provider.on?.(event, listener);
    stopListening = () => {
      for (const [event, listener] of Object.entries(reported)) provider.removeListener?.(event, listener);
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

  /** Reconnects after a reload, if the wallet still allows it. */
  function reconnect(): void {
    const storedId = sessionStorage.getItem(key);
    const wallet = state.connected === undefined ? state.wallets.find(({ id }) => id === storedId) : undefined;
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

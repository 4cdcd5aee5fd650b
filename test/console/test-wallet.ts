/** An injected wallet, as by a browser extension (EIP-6963): signs with development accounts on the local chains, and misbehaves as the test configures it. */
import { devAccount } from '@flowgate/devkit/dev-token';
import type { BrowserContext, Page } from 'playwright-core';
import { createWalletClient, type Hex, http, isHex } from 'viem';

export type TestWalletOptions = {
  /** Name in the wallet list. Default "Test Wallet". */
  readonly name?: string;
  /** RPC URL of each chain that the wallet knows. */
  readonly chains: Readonly<Record<number, string>>;
  /** The initial chain. Default: the first one. */
  readonly chainId?: number;
  /** Development accounts that the wallet offers, the selected one first. Default: 0. */
  readonly accounts?: readonly number[];
};

export type TestWallet = {
  readonly address: string;
  /** Every request of the page, in order. */
  readonly asked: readonly string[];
  /** Changes the wallet's behavior from now on. */
  readonly set: (change: Partial<TestWalletSwitches>) => void;
  readonly chainId: () => number;
  /** Selects another account, as the user would in the wallet. */
  readonly choose: (accounts: readonly number[]) => Promise<void>;
};

export type TestWalletSwitches = {
  /** Methods that the wallet rejects with 4001. */
  readonly refuses: readonly string[];
  /** Chains that the wallet claims not to know (4902) until they are added. */
  readonly unknownChains: readonly number[];
  /** Remains on its chain although it confirms the switch. */
  readonly staysOnChain: boolean;
  /** Signs transactions without sending them, as few wallets do. */
  readonly signsOnly: boolean;
  /** Methods that remain pending, as if the user had not answered, until they are removed from this list. */
  readonly holds: readonly string[];
  /** The account to select when the page asks to choose accounts again. */
  readonly otherAccounts: readonly number[];
};

type Answer = { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } };

class Refusal extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

let made = 0;

/** Injects the wallet into the current page and into each page that its context opens. */
export async function addTestWallet(page: Page, options: TestWalletOptions): Promise<TestWallet> {
  const { name = 'Test Wallet', chains, chainId = Number(Object.keys(chains)[0]) } = options;
  made += 1;
  const channel = `flowgateTestWallet${made}`;
  const asked: string[] = [];
  let accounts = (options.accounts ?? [0]).map(devAccount);
  let onChain = chainId;
  let switches: TestWalletSwitches = {
    refuses: [],
    unknownChains: [],
    staysOnChain: false,
    signsOnly: false,
    holds: [],
    otherAccounts: [],
  };
  let released = () => {};
  const emit = (event: string, detail: unknown) =>
    page.evaluate(`${channel}Emit(${JSON.stringify(event)}, ${JSON.stringify(detail)})`);

  async function moveTo(next: number): Promise<null> {
    if (switches.unknownChains.includes(next) || chains[next] === undefined)
      throw new Refusal(4902, `Unrecognized chain ID ${next}`);
    if (!switches.staysOnChain) {
      onChain = next;
      // Not awaited, because the page calls this during its own work.
      void emit('chainChanged', `0x${next.toString(16)}`);
    }
    return null;
  }

  const accountOf = (address: unknown) => {
    const account = accounts.find((each) => each.address.toLowerCase() === String(address).toLowerCase());
    if (account === undefined) throw new Refusal(4100, 'The requested account has not been authorized');
    return account;
  };
  const addresses = () => accounts.map(({ address }) => address.toLowerCase());

  /** Like real wallets, uses gas, fees and nonce from the page if given. */
  const transactionOf = (sent: unknown) => {
    if (Number(memberOf(sent, 'chainId')) !== onChain) throw new Refusal(-32602, 'chainId is another one');
    const account = accountOf(memberOf(sent, 'from'));
    const client = createWalletClient({ account, transport: http(chains[onChain]) });
    const quantity = (name: string) => {
      const value = memberOf(sent, name);
      return value === undefined ? {} : { [name]: BigInt(hexOf(value)) };
    };
    const [to, nonce] = [memberOf(sent, 'to'), memberOf(sent, 'nonce')];
    const terms = {
      ...{ ...quantity('value'), ...quantity('gas'), ...quantity('maxFeePerGas'), ...quantity('maxPriorityFeePerGas') },
      ...(to !== undefined && { to: hexOf(to) }),
      ...(nonce !== undefined && { nonce: Number(nonce) }),
      data: hexOf(memberOf(sent, 'data') ?? '0x'),
    };
    return { account, client, terms };
  };

  const methods: Readonly<Record<string, (params: readonly unknown[]) => Promise<unknown>>> = {
    eth_requestAccounts: async () => addresses(),
    eth_accounts: async () => addresses(),
    eth_chainId: async () => `0x${onChain.toString(16)}`,
    async wallet_requestPermissions() {
      if (switches.otherAccounts.length > 0) accounts = switches.otherAccounts.map(devAccount);
      void emit('accountsChanged', addresses());
      return [{ parentCapability: 'eth_accounts' }];
    },
    wallet_switchEthereumChain: async ([chain]) => moveTo(Number(memberOf(chain, 'chainId'))),
    async wallet_addEthereumChain([chain]) {
      const added = Number(memberOf(chain, 'chainId'));
      switches = { ...switches, unknownChains: switches.unknownChains.filter((each) => each !== added) };
      return moveTo(added);
    },
    personal_sign: async ([text, address]) => accountOf(address).signMessage({ message: { raw: hexOf(text) } }),
    eth_signTypedData_v4: async ([address, data]) => accountOf(address).signTypedData(JSON.parse(String(data))),
    async eth_signTransaction([sent]) {
      if (!switches.signsOnly) throw new Refusal(4200, 'The method eth_signTransaction is not supported');
      const { account, terms } = transactionOf(sent);
      return account.signTransaction({ ...terms, type: 'eip1559', chainId: onChain });
    },
    async eth_sendTransaction([sent]) {
      const { account, client, terms } = transactionOf(sent);
      return client.sendTransaction({ account, ...terms, chain: null });
    },
  };

  await page.context().exposeFunction(channel, async (method: string, params: readonly unknown[]): Promise<Answer> => {
    asked.push(method);
    while (switches.holds.includes(method))
      await new Promise<void>((resolve) => {
        const others = released;
        released = () => {
          others();
          resolve();
        };
      });
    try {
      if (switches.refuses.includes(method)) throw new Refusal(4001, 'User rejected the request.');
      return { result: await (methods[method]?.(params) ?? askChain(chains[onChain] ?? '', method, params)) };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { error: { code: error instanceof Refusal ? error.code : -32603, message } };
    }
  });
  await injectInto(page.context(), page, announcement(channel, name));
  return {
    address: accounts[0]?.address ?? '',
    asked,
    set: (change) => {
      switches = { ...switches, ...change };
      const wake = released;
      released = () => {};
      wake();
    },
    chainId: () => onChain,
    async choose(indexes) {
      accounts = indexes.map(devAccount);
      await emit('accountsChanged', addresses());
    },
  };
}

async function injectInto(context: BrowserContext, page: Page, script: string): Promise<void> {
  await context.addInitScript(script);
  await page.evaluate(script);
}

/** Runs in the page. */
function announcement(channel: string, name: string): string {
  const icon = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path fill="#e8590c" d="M0 0h1v1H0z"/></svg>')}`;
  const info = { uuid: crypto.randomUUID(), name, icon, rdns: `test.flowgate.${channel}` };
  return `(() => {
    const listeners = {};
    const provider = {
      on: (event, listener) => { (listeners[event] ??= new Set()).add(listener); },
      removeListener: (event, listener) => { listeners[event]?.delete(listener); },
      request: async ({ method, params = [] }) => {
        const answer = await window.${channel}(method, params);
        if ('error' in answer) throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
        return answer.result;
      },
    };
    window.${channel}Emit = (event, detail) => { for (const listener of listeners[event] ?? []) listener(detail); };
    const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info: ${JSON.stringify(info)}, provider }) }));
    addEventListener('eip6963:requestProvider', announce);
    announce();
  })()`;
}

async function askChain(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  const answer = (await response.json()) as { result?: unknown; error?: { code: number; message: string } };
  if (answer.error !== undefined) throw new Refusal(answer.error.code, answer.error.message);
  return answer.result;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

function hexOf(value: unknown): Hex {
  if (!isHex(value)) throw new Refusal(-32602, 'a member is no hexadecimal');
  return value;
}

/** Decodes functions that mean the same in every contract. Other data is shown as a number of bytes. */

export type KnownFact =
  | { readonly name: string; readonly kind: 'address'; readonly address: string }
  /** A token amount in base units. */
  | { readonly name: string; readonly kind: 'tokens'; readonly amount: bigint; readonly token: string }
  /** An amount of a token that the call does not name. */
  | { readonly name: string; readonly kind: 'units'; readonly amount: bigint };

export type KnownCall = { readonly title: string; readonly facts: readonly KnownFact[] };

/** `tokens`: amount of the called contract's token. `firstTokens`: amount of the token in the first parameter. `skipped` is not shown. */
type Kind = 'address' | 'tokens' | 'firstTokens' | 'units' | 'skipped';
type Known = { readonly title: string; readonly params: readonly (readonly [name: string, kind: Kind])[] };

const skipped = ['', 'skipped'] as const;

/** By selector, the first four bytes of the hash of name and types. */
const functions: Readonly<Record<string, Known>> = {
  // transfer(address,uint256)
  '0xa9059cbb': {
    title: 'Transfer tokens',
    params: [
      ['Recipient', 'address'],
      ['Amount', 'tokens'],
    ],
  },
  // approve(address,uint256)
  '0x095ea7b3': {
    title: 'Allow a contract to spend tokens',
    params: [
      ['Allowed contract', 'address'],
      ['Up to', 'tokens'],
    ],
  },
  // transferFrom(address,address,uint256)
  '0x23b872dd': {
    title: 'Transfer tokens from an account',
    params: [
      ['Owner', 'address'],
      ['Recipient', 'address'],
      ['Amount', 'tokens'],
    ],
  },
  // stake(uint256)
  '0xa694fc3a': { title: 'Stake', params: [['Amount', 'units']] },
  // withdraw(uint256)
  '0x2e1a7d4d': { title: 'Withdraw', params: [['Amount', 'units']] },
  // getReward()
  '0x3d18b912': { title: 'Claim rewards', params: [] },
  // exit()
  '0xe9fad8ee': { title: 'Withdraw everything and claim rewards', params: [] },
  // deposit()
  '0xd0e30db0': { title: 'Deposit', params: [] },
  // bridgeETHTo(address,uint32,bytes)
  '0xe11013dd': { title: 'Bridge ether', params: [['Recipient', 'address']] },
  // bridgeERC20To(address,address,address,uint256,uint32,bytes)
  '0x540abf73': {
    title: 'Bridge tokens',
    params: [skipped, skipped, ['Recipient', 'address'], ['Amount', 'firstTokens']],
  },
  // proveWithdrawalTransaction(…)
  '0x4870496f': { title: 'Prove a withdrawal', params: [] },
  // finalizeWithdrawalTransaction(…)
  '0x8c3152e9': { title: 'Finalize a withdrawal', params: [] },
  // relayMessage(uint256,address,address,uint256,uint256,bytes)
  '0xd764ad0b': {
    title: 'Relay a message',
    params: [skipped, ['Message from', 'address'], ['Calls', 'address']],
  },
};

const wordDigits = 64;

/** Undefined for unknown functions and for data that does not match the function. */
export function knownCall(to: string | undefined, data: string): KnownCall | undefined {
  if (to === undefined) return undefined;
  const selector = data.slice(0, 10).toLowerCase();
  const known = Object.hasOwn(functions, selector) ? functions[selector] : undefined;
  if (known === undefined) return undefined;
  const words = known.params.map((_, at) => data.slice(10 + at * wordDigits, 10 + (at + 1) * wordDigits));
  const facts: KnownFact[] = [];
  for (const [at, [name, kind]] of known.params.entries()) {
    const word = words[at] ?? '';
    if (!/^[0-9a-f]{64}$/i.test(word)) return undefined;
    if (kind === 'skipped') continue;
    const token = kind === 'tokens' ? to : addressIn(words[0] ?? '');
    if (kind === 'address') {
      const address = addressIn(word);
      if (address === undefined) return undefined;
      facts.push({ name, kind, address });
    } else if (kind === 'units' || token === undefined)
      facts.push({ name, kind: 'units', amount: BigInt(`0x${word}`) });
    else facts.push({ name, kind: 'tokens', amount: BigInt(`0x${word}`), token });
  }
  return { title: known.title, facts };
}

const addressIn = (word: string): string | undefined =>
  /^0{24}[0-9a-f]{40}$/i.test(word) ? `0x${word.slice(24)}` : undefined;

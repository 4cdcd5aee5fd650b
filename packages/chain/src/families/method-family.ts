/** The methods of a ledger family, as data: which of them a node is asked (contract/json-rpc#blocked-methods). */

export type MethodFamily = ListedBlocks | ListedReads;

type Names = {
  /** Names outside this shape are blocked. */
  readonly shape: RegExp;
  /** Longer names are blocked. */
  readonly maxLength: number;
  /** Off until a network opts in. */
  readonly heavy: readonly string[];
  /** What a network may list under `methods.enable`: a name, or the beginning of names before `*`. */
  readonly enableForm: RegExp;
  /** Two valid entries of that list, for the message about an invalid one. */
  readonly enableExamples: readonly [name: string, pattern: string];
};

/** All methods that are not blocked are forwarded. In each list `*` matches any characters, and letter case does not count. */
export type ListedBlocks = Names & {
  /** Never forwarded, even if a network enables it. */
  readonly blocked: readonly string[];
  /** Methods that match these are blocked unless `heavy` lists them. */
  readonly blockedUnlessHeavy: readonly string[];
  /** The gateway answers these with an empty list. */
  readonly noAccounts: readonly string[];
  /** These need a connection that stays open: over HTTP the error contains the WebSocket's address. */
  readonly subscriptions: readonly string[];
};

/** All methods that are not listed are blocked. Names are compared exactly, as the family's nodes do. */
export type ListedReads = Names & { readonly allowed: readonly string[] };

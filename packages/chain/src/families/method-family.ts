/** The methods of a ledger family, as data: which of them the gateway forwards to a node (contract/json-rpc#blocked-methods). */

export type MethodFamily = ListedBlocks | ListedReads;

type Names = {
  /** Names that do not match are blocked. */
  readonly shape: RegExp;
  /** Longer names are blocked. */
  readonly maxLength: number;
  /** Blocked until a network enables them. */
  readonly heavy: readonly string[];
  /** The form of an entry in `methods.enable`: a name, or the beginning of names followed by `*`. */
  readonly enableForm: RegExp;
  /** Two valid entries of `methods.enable`, for the error about an invalid one. */
  readonly enableExamples: readonly [name: string, pattern: string];
};

/** Methods that are not blocked are forwarded. In each list `*` matches any characters, and letter case is ignored. */
export type ListedBlocks = Names & {
  /** Never forwarded, even if a network enables it. */
  readonly blocked: readonly string[];
  /** Methods that match these are blocked unless `heavy` lists them. */
  readonly blockedUnlessHeavy: readonly string[];
  /** The gateway answers these methods itself, with an empty list. */
  readonly noAccounts: readonly string[];
  /** These methods need a connection that stays open. Over HTTP the error contains the WebSocket's address. */
  readonly subscriptions: readonly string[];
};

/** Methods that are not listed are blocked. Names are compared exactly, as the family's nodes compare them. */
export type ListedReads = Names & { readonly allowed: readonly string[] };

/** Describes how a method's parameters name the block that its answer is about. Each ledger family has such data for its methods. */

export type BlockTag = 'latest' | 'safe' | 'finalized' | 'earliest' | 'pending';

export type BlockPlace =
  /**
   * The parameter `at` is a height or a tag; with `orHash` also a block hash, or an object of EIP-1898. A missing parameter means `ifAbsent`; undefined if the
   * parameter is required.
   */
  | { readonly by: 'height'; readonly at: number; readonly orHash: boolean; readonly ifAbsent: BlockTag | undefined }
  /** The parameter `at` is a block's hash. */
  | { readonly by: 'hash'; readonly at: number }
  /** The first parameter is an object with `fromBlock` and `toBlock`, or `blockHash`. An end that is left out means `ifAbsent`. */
  | { readonly by: 'range'; readonly ifAbsent: BlockTag | undefined }
  /** The first parameter is a transaction's hash. */
  | { readonly by: 'transaction' }
  /** No parameter names a block: the answer depends on the newest one. */
  | { readonly by: 'head' }
  /** The same as `head`, and on what waits to be in a block. */
  | { readonly by: 'pending' }
  /** The answer depends on no block. */
  | { readonly by: 'nothing' };

/** By the method's exact name. For any other method it is unknown which block its answer depends on. */
export type BlockPlaces = ReadonlyMap<string, BlockPlace>;

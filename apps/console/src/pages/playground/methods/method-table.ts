/** Compact form of an OpenRPC document: methods with the types of their form fields. */

export type ValueForm =
  /** `pattern`: a regular expression that the text must match. */
  | { readonly kind: 'text'; readonly pattern?: string }
  /** An integer, sent in hexadecimal. */
  | { readonly kind: 'quantity' }
  /** A block height or tag; with `hash`, also a block hash. */
  | { readonly kind: 'block'; readonly hash: boolean }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'number' }
  | { readonly kind: 'choice'; readonly of: readonly string[] }
  /** Strings or numbers, one per line. `lone`: a single entry is sent without a list. */
  | { readonly kind: 'list'; readonly of: 'text' | 'number'; readonly lone: boolean }
  | { readonly kind: 'object'; readonly members: readonly Parameter[] }
  /** Any other value, entered as JSON. */
  | { readonly kind: 'json' };

export type Parameter = {
  readonly name: string;
  readonly hint?: string;
  readonly required: boolean;
  readonly form: ValueForm;
};

export type MethodGroup = 'Blocks' | 'Accounts' | 'Transactions' | 'Fees' | 'Logs and filters' | 'Node';

export type MethodRow = {
  readonly name: string;
  readonly group: MethodGroup;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  /** Example parameters from the document. */
  readonly example?: readonly unknown[];
};

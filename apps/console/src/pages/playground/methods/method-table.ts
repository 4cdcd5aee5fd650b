/** Methods with what their forms are made of: the compact form of an OpenRPC document. */

export type ValueForm =
  /** `pattern`: of a regular expression that the text has to match. */
  | { readonly kind: 'text'; readonly pattern?: string }
  /** A whole number, in hexadecimal on the wire. */
  | { readonly kind: 'quantity' }
  /** A height or a tag; `hash`: or a block's hash. */
  | { readonly kind: 'block'; readonly hash: boolean }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'number' }
  | { readonly kind: 'choice'; readonly of: readonly string[] }
  /** Texts or numbers, one on a line. `lone`: one by itself is no list. */
  | { readonly kind: 'list'; readonly of: 'text' | 'number'; readonly lone: boolean }
  | { readonly kind: 'object'; readonly members: readonly Parameter[] }
  /** Whatever is not worth a form. */
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
  /** Values that the document shows. */
  readonly example?: readonly unknown[];
};

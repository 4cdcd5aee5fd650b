/** Builds the method table from an OpenRPC document at build time (docs/decisions/0119). */
import type { MethodGroup, MethodRow, Parameter, ValueForm } from './method-table.ts';

type Schema = {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
};
type DocumentParameter = {
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Schema;
};
export type OpenRpcDocument = {
  readonly methods: readonly {
    readonly name: string;
    readonly summary?: string;
    readonly params: readonly DocumentParameter[];
    readonly tags?: readonly { readonly name?: string }[];
    readonly examples?: readonly { readonly params?: readonly { readonly value: unknown }[] }[];
  }[];
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** Tag of node methods; the other methods belong to wallets. */
const nodesTag = 'Ethereum API';
/** The gateway has no accounts of its own. */
const leftOut = new Set(['eth_coinbase']);

export function compactMethods(document: OpenRpcDocument): readonly MethodRow[] {
  const resolve = (schema: Schema): Schema => {
    const name = schema.$ref?.split('/').at(-1);
    if (name === undefined) return schema;
    const { $ref: _, ...own } = schema;
    return { ...resolve(document.components.schemas[name] ?? {}), ...own };
  };
  return document.methods
    .filter(({ name, tags }) => tags?.some((tag) => tag.name === nodesTag) === true && !leftOut.has(name))
    .map(({ name, summary = '', params, examples }) => {
      const example = examples?.[0]?.params?.map(({ value }) => value);
      return {
        name,
        group: groupOf(name),
        summary: plain(summary),
        parameters: params.map((parameter) => parameterOf(parameter, resolve)),
        ...(example === undefined || example.length === 0 ? {} : { example }),
      };
    });
}

function parameterOf({ name, description, required, schema }: DocumentParameter, resolve: Resolve): Parameter {
  const resolved = resolve(schema);
  // The gateway's filter IDs have their own format.
  const form: ValueForm = /filter identifier/i.test(name) ? { kind: 'text' } : formOf(resolved, resolve);
  const reported = form.kind === 'block' ? undefined : (description ?? resolved.description);
  const hint = reported === undefined ? undefined : plain(reported);
  return {
    name: readable(name),
    required: required === true,
    form,
    ...(hint === undefined || hint === '' ? {} : { hint }),
  };
}

type Resolve = (schema: Schema) => Schema;

function formOf(schema: Schema, resolve: Resolve): ValueForm {
  const { title = '', type } = schema;
  const others = (schema.oneOf ?? schema.anyOf ?? []).map(resolve).filter((each) => each.type !== 'null');
  if (/^block number(?:,| or)/i.test(title)) return { kind: 'block', hash: /hash/i.test(title) };
  const [only, list] = others;
  if (only !== undefined && others.length === 1) return formOf(only, resolve);
  if (only?.type === 'string' && list?.type === 'array') return { kind: 'list', of: 'text', lone: true };
  if (schema.enum !== undefined) return { kind: 'choice', of: schema.enum };
  if (type === 'boolean') return { kind: 'boolean' };
  if (type === 'number' || type === 'integer') return { kind: 'number' };
  if (type === 'string') {
    if (/unsigned integer/.test(title) || schema.pattern?.startsWith('^0x([1-9a-f]+') === true)
      return { kind: 'quantity' };
    // Hexadecimal digits are case-insensitive.
    return schema.pattern === undefined
      ? { kind: 'text' }
      : { kind: 'text', pattern: schema.pattern.replaceAll('0-9a-f]', '0-9a-fA-F]') };
  }
  if (type === 'array' && schema.items !== undefined) {
    const inner = resolve(schema.items);
    if (inner.type === 'string') return { kind: 'list', of: 'text', lone: false };
    if (inner.type === 'number') return { kind: 'list', of: 'number', lone: false };
  }
  if (type === 'object' && schema.properties !== undefined)
    return {
      kind: 'object',
      members: Object.entries(schema.properties).map(([name, member]) => ({
        // Block tags are accepted as well as heights.
        ...(/^(?:from|to)Block$/.test(name)
          ? { form: { kind: 'block', hash: false } as const }
          : memberOf(resolve(member), resolve)),
        name,
        required: schema.required?.includes(name) === true,
      })),
    };
  return { kind: 'json' };
}

function memberOf(schema: Schema, resolve: Resolve): Pick<Parameter, 'form' | 'hint'> {
  const form = formOf(schema, resolve);
  return schema.description === undefined || form.kind === 'block'
    ? { form }
    : { form, hint: plain(schema.description) };
}

/** Removes Markdown. */
function plain(text: string): string {
  return text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    .trim();
}

/** `blockCount` → `Block count` */
function readable(name: string): string {
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const groups: readonly (readonly [RegExp, MethodGroup])[] = [
  [/filter|getlogs/i, 'Logs and filters'],
  [/gasprice|feehistory|fee/i, 'Fees'],
  [/getbalance|getcode|getstorageat|getproof|gettransactioncount/i, 'Accounts'],
  [/eth_call|estimategas|transactionby|receipt|sendraw/i, 'Transactions'],
  [/block|uncle/i, 'Blocks'],
];

export function groupOf(name: string): MethodGroup {
  return groups.find(([pattern]) => pattern.test(name))?.[1] ?? 'Node';
}

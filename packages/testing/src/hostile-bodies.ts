/** The bodies that take the longest to decode for their size, for every path on which a caller's bytes are decoded. */

export type HostileBody = { readonly name: string; readonly make: (bytes: number) => string };

/** A body of `head`, as many `unit`s as fit, and `tail`. */
function filled(head: string, unit: string, tail: string, bytes: number, join = ''): string {
  const room = Math.max(0, bytes - Buffer.byteLength(head) - Buffer.byteLength(tail));
  const count = Math.max(1, Math.floor((room + join.length) / (Buffer.byteLength(unit) + join.length)));
  return head + (join === '' ? unit.repeat(count) : `${`${unit}${join}`.repeat(count - 1)}${unit}`) + tail;
}

const numbered = (open: string, close: string, of: (n: number) => string) => (bytes: number) => {
  const parts: string[] = [];
  let length = open.length + close.length;
  for (let n = 0; length < bytes; n++) {
    const part = of(n);
    parts.push(part);
    length += part.length + 1;
  }
  return open + parts.join(',') + close;
};

const call = '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":';
const list = (name: string, head: string, unit: string, tail: string): HostileBody => ({
  name,
  make: (bytes) => filled(head, unit, tail, bytes, ','),
});
const run = (name: string, head: string, unit: string, tail: string): HostileBody => ({
  name,
  make: (bytes) => filled(head, unit, tail, bytes),
});

/** The baseline: a call whose one parameter is a plain string. */
export const plainBody = run('one plain string', `${call}["`, 'a', '"]}');

export const hostileBodies: readonly HostileBody[] = [
  list('members with an escaped name', '{', '"\\n":1', '}'),
  list('members without a name', '{', '"":1', '}'),
  list('members with a known name', '{', '"id":1', '}'),
  { name: 'members with a name each', make: numbered('{', '}', (n) => `"${n}":1`) },
  {
    name: 'members with a long escaped name each',
    make: numbered('{', '}', (n) => `"\\u0061${'b'.repeat(60)}${n}":1`),
  },
  run('one member with a name of escapes', '{"', '\\u0061', '":1}'),
  list('a batch of numbers', '[', '1', ']'),
  list('a batch of empty objects', '[', '{}', ']'),
  { name: 'a batch of calls', make: numbered('[', ']', (n) => `{"jsonrpc":"2.0","id":${n},"method":"eth_call"}`) },
  {
    name: 'a batch of 64 members each',
    make: numbered('[', ']', () => `{${Array.from({ length: 64 }, (_, n) => `"\\u0061${n}":1`).join(',')}}`),
  },
  list('numbers in params', `${call}[`, '1', ']}'),
  list('literals in params', `${call}[`, 'null', ']}'),
  list('fractions in params', `${call}[`, '1.5e-7', ']}'),
  list('empty lists in params', `${call}[`, '[]', ']}'),
  list('empty objects in params', `${call}[`, '{}', ']}'),
  list('empty strings in params', `${call}[`, '""', ']}'),
  list('short strings in params', `${call}[`, '"abc"', ']}'),
  list('members in params', `${call}{`, '"":1', '}}'),
  list('members with an escaped name in params', `${call}{`, '"\\n":1', '}}'),
  list('nests in params', `${call}[`, `${'['.repeat(100)}${']'.repeat(100)}`, ']}'),
  list('nests of objects in params', `${call}[`, `${'{"":'.repeat(100)}1${'}'.repeat(100)}`, ']}'),
  list('lists in an unknown member', '{"x":[', '1', '],"jsonrpc":"2.0"}'),
  list('a list alone', '[[', '1', ']]'),
  run('escapes in a string', `${call}["`, '\\n', '"]}'),
  run('unicode escapes in a string', `${call}["`, '\\u0041', '"]}'),
  run('an escape after each sixteen characters', `${call}["`, `${'a'.repeat(16)}\\n`, '"]}'),
  run('an escape after each seventeen characters', `${call}["`, `${'a'.repeat(17)}\\n`, '"]}'),
  run('strings of thirty characters', `${call}["`, `${'a'.repeat(30)}","`, '"]}'),
  run('two-byte characters', `${call}["`, 'é', '"]}'),
  run('three-byte characters', `${call}["`, '€', '"]}'),
  run('four-byte characters', `${call}["`, '😀', '"]}'),
  run('escapes next to wide characters', `${call}["€`, '\\n', '"]}'),
  list('numbers next to wide characters', `${call}["€",`, '1', ']}'),
  run('blanks between members', '{"jsonrpc":"2.0",', ' ', '"id":1,"method":"eth_call"}'),
  run('blanks before', '', ' ', `${call}[]}`),
  run('blanks behind', `${call}[]}`, ' ', ''),
  { name: 'blanks between numbers', make: (bytes) => filled(`${call}[`, '1 , ', '1]}', bytes) },
  run('a long number', `${call}[`, '1', ']}'),
  run('a long method', '{"jsonrpc":"2.0","id":1,"method":"', 'a', '"}'),
  run('a long method of escapes', '{"jsonrpc":"2.0","id":1,"method":"', '\\u0061', '"}'),
  run('a long version of escapes', '{"id":1,"method":"eth_call","jsonrpc":"', '\\u0061', '"}'),
  run('a long number as id', '{"jsonrpc":"2.0","method":"eth_call","id":', '1', '}'),
  run('a long string as id', '{"jsonrpc":"2.0","method":"eth_call","id":"', '\\n', '"}'),
  list('a list as id', '{"jsonrpc":"2.0","method":"eth_call","id":[', '1', ']}'),
  list('not JSON in the end', `${call}[`, '1', ']'),
  run('only openers', '', '[', ''),
];

/** Formats JSON for people: what fits on a line stays on one, the rest is indented. */

const lineWidth = 88;

export function jsonText(value: unknown, indent = ''): string {
  const flat = oneLine(value);
  if (flat.length + indent.length <= lineWidth || typeof value !== 'object' || value === null) return flat;
  const deeper = `${indent}  `;
  if (Array.isArray(value))
    return `[\n${value.map((item: unknown) => deeper + jsonText(item, deeper)).join(',\n')}\n${indent}]`;
  const members = Object.entries(value).map(
    ([name, member]: [string, unknown]) => `${deeper}${JSON.stringify(name)}: ${jsonText(member, deeper)}`,
  );
  return `{\n${members.join(',\n')}\n${indent}}`;
}

function oneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  const members = Object.entries(value).map(
    ([name, member]: [string, unknown]) => `${JSON.stringify(name)}: ${oneLine(member)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

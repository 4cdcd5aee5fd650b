/** Renders JSON Schemas as tables of members. */

import type { Schema } from '../../../api/json-schema.ts';
import { type Html, html, inline } from '../../pages/html.ts';
import type { OpenApiDocument } from '../openapi-document.ts';

/** `string`, `list of string`, or a link to the schema of that name. */
export function typeOf(schema: Schema): Html {
  if (schema.$ref !== undefined) {
    const name = schemaName(schema);
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (schema.oneOf !== undefined) return html`${joined(schema.oneOf.map(typeOf), ' or ')}`;
  if (schema.items !== undefined) {
    const nullable = Array.isArray(schema.type) && schema.type.includes('null') ? ' or null' : '';
    return html`list of ${typeOf(schema.items)}${nullable}`;
  }
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum !== undefined)
    return html`${joined(
      schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`),
      ' or ',
    )}`;
  if (schema.type === undefined) return html`any value`;
  return html`${[schema.type].flat().join(' or ')}${schema.format === undefined ? '' : `, ${schema.format}`}`;
}

/** The bounds of a value in words; empty when the value has none. */
export function limitsOf(schema: Schema): readonly Html[] {
  const notes: Html[] = [];
  const range = (min: number | undefined, max: number | undefined, unit: string) => {
    const says = max === undefined ? `at least ${min}` : min === undefined ? `at most ${max}` : `${min} to ${max}`;
    if (min !== undefined || max !== undefined) notes.push(html`<span class="limit">${says}${unit}</span>`);
  };
  range(schema.minLength, schema.maxLength, ' characters');
  range(schema.minimum, schema.maximum, '');
  range(schema.minItems, schema.maxItems, ' entries');
  range(undefined, schema.maxProperties, ' members');
  if (schema.pattern !== undefined) notes.push(html`<code class="limit">${schema.pattern}</code>`);
  if (schema.default !== undefined)
    notes.push(html`<span class="limit">default <code>${JSON.stringify(schema.default)}</code></span>`);
  return notes;
}

export function schemaSection(name: string, schema: Schema): Html {
  const { properties = {}, required = [] } = schema;
  const rows = Object.entries(properties).map(
    ([member, of]) => html`<tr>
<th scope="row"><code>${member}</code>${required.includes(member) ? html`` : html` <span class="optional">optional</span>`}</th>
<td class="type">${typeOf(of)}</td>
<td>${inline(of.description ?? '')} ${limitsOf(of)}</td>
</tr>`,
  );
  const table =
    rows.length === 0
      ? html`<p>${typeOf(schema)} ${limitsOf(schema)}</p>`
      : html`<div class="scroll" tabindex="0" role="group" aria-label="Members of ${name}"><table>
<thead><tr><th scope="col">Member</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
  return html`<section class="schema" id="schema-${name}">
<h3>${name}</h3>
<p>${inline(schema.description ?? '')}</p>
${table}
</section>`;
}

export function schemaSections(document: OpenApiDocument): readonly Html[] {
  return Object.entries(document.components.schemas).map(([name, schema]) => schemaSection(name, schema));
}

export function schemaName(schema: Schema): string {
  return (schema.$ref ?? '').replace('#/components/schemas/', '');
}

function joined(parts: readonly Html[], separator: string): readonly Html[] {
  return parts.flatMap((part, at) => (at === 0 ? [part] : [html`${separator}`, part]));
}

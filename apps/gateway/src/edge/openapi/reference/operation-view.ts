/** Renders one operation: input, answers, sample call. It is an article and not a region, because a landmark for each of many routes would help no reader. */

import type { Schema } from '../../../api/json-schema.ts';
import { type Html, html, inline, prose } from '../../pages/html.ts';
import type {
  Content,
  OpenApiDocument,
  Operation,
  Parameter,
  Response,
  WebhookOperation,
} from '../openapi-document.ts';
import { limitsOf, schemaName, typeOf } from './schema-view.ts';

type Shown = Operation | WebhookOperation;

export function operationSection(path: string, method: string, operation: Shown): Html {
  const [sample] = 'x-codeSamples' in operation ? operation['x-codeSamples'] : [];
  const verb = method.toUpperCase();
  return html`<article class="operation" id="${operation.operationId}" aria-labelledby="${operation.operationId}-h">
<h3 id="${operation.operationId}-h">${operation.summary}</h3>
<p class="line"><span class="verb ${method}">${verb}</span> <code class="path">${breakable(path)}</code></p>
<p class="credential"><span class="label">Credential</span> ${credentialOf(operation)}</p>
${prose(operation.description)}
${sample === undefined ? html`` : codeBlock('curl', sample.source)}
${operation.parameters.length === 0 ? html`` : parameterTable(operation)}
${operation.requestBody === undefined ? html`` : html`<h4>Body</h4>${contentView(operation.requestBody.content)}`}
<h4>Answers</h4>
<div class="answers">${Object.entries(operation.responses).map(([status, response]) => answer(status, response))}</div>
</article>`;
}

const credentialNames: Readonly<Record<string, string>> = {
  accessToken: 'access token',
  apiKey: 'API key in X-API-Key',
  apiKeyAsBearer: 'API key as Bearer',
};

function credentialOf(operation: Shown): string {
  if ('x-url' in operation) return 'a signature of the gateway (Standard Webhooks)';
  const names = operation.security.flatMap((each) => Object.keys(each)).map((name) => credentialNames[name] ?? name);
  if (names.length > 0) return names.join(', or ');
  return operation.parameters.some((parameter) => parameter.name === 'apiKey') ? 'API key in the path' : 'none';
}

function parameterTable(operation: Shown): Html {
  const row = (parameter: Parameter) => html`<tr>
<th scope="row"><code>${parameter.name}</code> <span class="optional">${parameter.in}${parameter.required ? '' : ', optional'}</span></th>
<td class="type">${typeOf(parameter.schema)}</td>
<td>${inline(parameter.description)} ${limitsOf(parameter.schema)}</td>
</tr>`;
  return html`<h4>Parameters</h4>
<div class="scroll" tabindex="0" role="group" aria-label="Parameters of ${operation.summary}"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${operation.parameters.map(row)}</tbody>
</table></div>`;
}

function answer(status: string, response: Response): Html {
  const kind = status.startsWith('2') ? 'good' : 'bad';
  const names = Object.keys(response.headers);
  return html`<details${kind === 'good' ? html` open` : html``}>
<summary><span class="status ${kind}">${status}</span> <span class="what">${inline(response.description)}</span></summary>
${response.content === undefined ? html`` : contentView(response.content, isEnvelope)}
${names.length === 0 ? html`` : html`<p class="headers"><span class="label">Headers</span> ${names.map((name) => html`<code>${name}</code> `)}</p>`}
</details>`;
}

/** Refusals share one form of body, which is shown once: a copy for each operation and status would be half of the page. */
const envelopes = ['StandardError', 'ProblemDetails', 'JsonRpcError'];
const isEnvelope = (schema: Schema) => envelopes.includes(schemaName(schema));

/** One example of each envelope of refusals. */
export function envelopeExamples(document: OpenApiDocument): readonly Html[] {
  const contents = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ content = {} }) => Object.values(content));
  return envelopes.flatMap((name) => {
    const found = contents.find(({ schema, examples }) => schemaName(schema) === name && examples !== undefined);
    const [example] = Object.values(found?.examples ?? {});
    return example === undefined ? [] : [codeBlock(name, jsonText(example.value))];
  });
}

/** `isShownElsewhere`: whether bodies of this schema have their examples in another place. */
function contentView(content: Content, isShownElsewhere: (schema: Schema) => boolean = () => false): readonly Html[] {
  return Object.entries(content).map(
    ([
      type,
      { schema, examples = {} },
    ]) => html`<p class="content">${typeOf(schema)} <span class="media">${type}</span></p>
${(isShownElsewhere(schema) ? [] : Object.entries(examples)).map(([name, example]) => codeBlock(name === 'example' ? 'Example' : example.summary, jsonText(example.value)))}`,
  );
}

function codeBlock(caption: string, source: string): Html {
  return html`<figure><figcaption>${caption}</figcaption><pre tabindex="0"><code>${source}</code></pre></figure>`;
}

/** Lets long paths break after a slash on narrow screens. */
function breakable(path: string): readonly Html[] {
  const [first = '', ...segments] = path.split('/');
  return [html`${first}`, ...segments.map((segment) => html`<wbr>/${segment}`)];
}

const lineWidth = 88;

/** Formats JSON for readers: a value that fits stays on one line, others are indented. */
function jsonText(value: unknown, indent = ''): string {
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

/** The reference page: the OpenAPI document as one HTML page that loads nothing and is complete without its script. */

import { createHash } from 'node:crypto';
import { refusalReasons, refusals, urnPrefix } from '../../../api/refusal.ts';
import { Html, html, inline, prose } from '../../pages/html.ts';
import type { OpenApiDocument, Operation, WebhookOperation } from '../openapi-document.ts';
import { envelopeExamples, operationSection } from './operation-view.ts';
import { schemaSections } from './schema-view.ts';
import { script, scriptHash } from './script.ts';
import { style } from './style.ts';

/** The page may load and send nothing. Its one style sheet and one script are allowed by their hashes, and the script cannot write markup. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `script-src '${scriptHash}'`,
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "require-trusted-types-for 'script'",
].join('; ');

/** Our own texts, which contain no end tags: escaping would change the text whose hash the policy allows. */
const sheet = new Html(style);
const behavior = new Html(script);

type Entry = { readonly path: string; readonly method: string; readonly operation: Operation | WebhookOperation };

/** Yields after each part. */
export function* referencePage(document: OpenApiDocument): Generator<undefined, string> {
  const { info, servers, tags } = document;
  const called = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Entry => ({ path, method, operation })),
  );
  const asked = Object.values(document.webhooks).flatMap((methods) =>
    Object.entries(methods).map(([method, operation]): Entry => ({ path: operation['x-url'], method, operation })),
  );
  const entries = [...called, ...asked];
  const groups = tags.map((tag) => ({
    ...tag,
    entries: entries.filter((entry) => entry.operation.tags.includes(tag.name)),
  }));
  const sections: Html[] = [];
  for (const group of groups) {
    const operations: Html[] = [];
    for (const { path, method, operation } of group.entries) {
      operations.push(operationSection(path, method, operation));
      yield;
    }
    sections.push(
      html`<section id="${anchor(group.name)}"><h2>${group.name}</h2>${prose(group.description)}
${operations}</section>`,
    );
  }
  const schemas = schemaSections(document);
  yield;
  // The page contains the list twice and shows one: a single list that is folded on a phone and open on a screen would need a script.
  const contents = navigation(groups);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title} reference</title>
<style>${sheet}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<p class="brand"><strong>${info.title}</strong> <span>reference</span></p>
<p class="version">version ${info.version} · <a href="/openapi.json">openapi.json</a></p>
<div class="search" role="search" hidden><input type="search" id="search" aria-label="Search the reference" placeholder="Search routes, members, errors" autocomplete="off" spellcheck="false"><output id="found" for="search"></output></div>
</header>
<div class="layout">
<details class="menu"><summary>Contents</summary><nav aria-label="Contents">${contents}</nav></details>
<nav class="side" aria-label="Contents">${contents}</nav>
<main id="content">
<section id="introduction">
<h1>${info.title} reference</h1>
${prose(info.description)}
<p class="base"><span class="label">Base address</span> <code>${servers[0]?.url}</code></p>
</section>
${credentialSection(document)}
${sections}
<section id="errors"><h2>Errors</h2>
<p>What a reason looks like depends on the route alone: JSON-RPC routes answer JSON-RPC errors for what concerns the message and its credential, <code>/flow/*</code> answers <a href="#schema-ProblemDetails">ProblemDetails</a>, everything else is a <a href="#schema-StandardError">StandardError</a>.</p>
${envelopeExamples(document)}
${errorTable()}</section>
<section id="schemas"><h2>Schemas</h2>${schemas}</section>
</main>
</div>
<script>${behavior}</script>
</body>
</html>
`;
  return page.source;
}

function navigation(groups: readonly { readonly name: string; readonly entries: readonly Entry[] }[]): Html {
  const link = ({ method, operation }: Entry) =>
    html`<li><a href="#${operation.operationId}"><span class="verb ${method}">${method.toUpperCase()}</span> ${operation.summary}</a></li>`;
  return html`<ul>
<li><a href="#introduction">Introduction</a></li>
<li><a href="#credentials">Credentials</a></li>
${groups.map((group) => html`<li><a class="group" href="#${anchor(group.name)}">${group.name}</a><ul>${group.entries.map(link)}</ul></li>`)}
<li><a class="group" href="#errors">Errors</a></li>
<li><a class="group" href="#schemas">Schemas</a></li>
</ul>`;
}

function credentialSection(document: OpenApiDocument): Html {
  const titles: Readonly<Record<string, string>> = {
    accessToken: 'Access token',
    apiKey: 'API key in a header',
    apiKeyAsBearer: 'API key as Bearer',
  };
  const rows = Object.entries(document.components.securitySchemes).map(
    ([name, scheme]) => html`<dt>${titles[name] ?? name}</dt><dd>${prose(scheme.description)}</dd>`,
  );
  return html`<section id="credentials"><h2>Credentials</h2>
<dl>${rows}<dt>API key in the path</dt><dd><p>On JSON-RPC routes that end in <code>/{apiKey}</code>. Such a URL is itself a credential, and proxies may log it.</p></dd></dl>
<p>An API key only identifies the caller: a transaction still needs the signature of the caller's wallet. The examples read <code>FLOWGATE_TOKEN</code> and <code>FLOWGATE_API_KEY</code> from the environment.</p></section>`;
}

/** Each reason of the catalog, in each of the three envelopes. */
function errorTable(): Html {
  const rows = refusalReasons.map((reason) => {
    const { status, label, message, urn, retryable, rpc } = refusals[reason];
    return html`<tr>
<th scope="row"><code>${reason}</code></th>
<td data-label="Meaning">${inline(message)}</td>
<td class="nowrap" data-label="REST"><strong>${status}</strong> ${label}</td>
<td data-label="JSON-RPC">${rpc === undefined ? html`<span class="optional">as REST</span>` : html`<span class="nowrap"><strong>${rpc.status}</strong> <code>${rpc.code}</code></span><br>${rpc.message}`}</td>
<td data-label="Flow"><code>${urn}</code></td>
<td class="short" data-label="Retry?">${retryable ? 'yes' : 'no'}</td>
</tr>`;
  });
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Errors"><table class="errors">
<thead><tr><th scope="col">Reason</th><th scope="col">Meaning</th><th scope="col">REST</th><th scope="col">JSON-RPC</th><th scope="col">Flow <code>type</code>, after <code>${urnPrefix}</code></th><th scope="col">Retry?</th></tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}

function anchor(name: string): string {
  return `group-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
}

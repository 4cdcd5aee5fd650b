/** The page at the gateway's address, for browsers: what this is, where to sign in, and a first call. */

import { createHash } from 'node:crypto';
import { Html, html } from './html.ts';

export type LandingFacts = {
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly issuer: string;
  readonly version: string;
};

const style = `
:root{color-scheme:light dark;--ink:#16202c;--soft:#55606e;--line:#dde3ea;--page:#fff;--raised:#f5f7fa;--accent:#0b57c4}
@media (prefers-color-scheme:dark){:root{--ink:#e4e9f0;--soft:#9fabba;--line:#2b3542;--page:#10151c;--raised:#171e27;--accent:#7db3ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;-webkit-text-size-adjust:100%}
main{max-width:46rem;margin:0 auto;padding:2rem 1.25rem 4rem}
h1{font-size:1.9rem;line-height:1.2;letter-spacing:-.02em;margin:0 0 .75rem}
h2{font-size:1.15rem;margin:2.25rem 0 .25rem}
p{margin:.5rem 0}
.brand{display:flex;gap:.6rem;align-items:center;color:var(--soft);margin-bottom:2rem}
.brand img{width:2rem;height:2rem}
a{color:var(--accent);text-underline-offset:.15em}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:3px}
nav{display:flex;flex-wrap:wrap;gap:.6rem;margin:1.5rem 0}
nav a{display:inline-flex;align-items:center;min-height:2.75rem;padding:0 1rem;border:1px solid var(--line);border-radius:8px;text-decoration:none}
nav a.main{background:var(--accent);border-color:var(--accent);color:var(--page)}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.875rem}
pre{margin:.75rem 0;padding:.8rem .9rem;overflow:auto;background:var(--raised);border:1px solid var(--line);border-radius:8px}
pre code{user-select:all;-webkit-user-select:all}
code{overflow-wrap:anywhere}
pre code{overflow-wrap:normal}
`;

/** No script runs, and the page loads only the icon. */
export const landingPolicy = [
  "default-src 'none'",
  "img-src 'self'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function landingPage({ publicUrl, issuer, version }: LandingFacts): string {
  const mint = `curl -s -X POST ${publicUrl}/users/me/api-keys -H "Authorization: Bearer $FLOWGATE_TOKEN" -H 'Content-Type: application/json' -d '{"label":"my key"}'`;
  const call = `curl -s -X POST ${publicUrl}/rpc -H "X-API-Key: $FLOWGATE_API_KEY" -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Flowgate</title>
<link rel="icon" type="image/svg+xml" href="/favicon.ico">
<style>${new Html(style)}</style>
</head>
<body>
<main>
<p class="brand"><img src="/favicon.ico" alt=""> <span><strong>Flowgate</strong> ${version}</span></p>
<h1>One gateway in front of blockchains</h1>
<p>This address serves JSON-RPC to networks and nodes, REST resources about your keys and networks, and Flow Apps: workflows of many steps that people, services and agents walk through. One identity and one set of limits apply to all of them.</p>
<nav aria-label="Start"><a class="main" href="${issuer}">Sign in</a><a href="/reference">Reference</a><a href="/openapi.json">OpenAPI document</a></nav>
<h2>1. Sign in</h2>
<p>Access tokens come from the identity provider, <a href="${issuer}">${issuer}</a>.</p>
<h2>2. Mint an API key</h2>
<p>The key is shown once. It identifies you as the caller; transactions still need the signature of your own wallet.</p>
<pre><code>${mint}</code></pre>
<h2>3. Make a first call</h2>
<pre><code>${call}</code></pre>
<p>Wallets and libraries take an address alone: <code>${publicUrl}/rpc/{apiKey}</code>. Such an address is itself a credential.</p>
</main>
</body>
</html>
`.source;
}

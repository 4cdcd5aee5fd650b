/** The layout of the development provider's pages: server-rendered HTML with a notice that it is for development. */
import type { ServerResponse } from 'node:http';

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 42rem; padding: 2rem 1rem; }
.notice { border: 2px solid #b45309; border-radius: .5rem; padding: .5rem 1rem; }
button, .button { display: inline-block; font: inherit; padding: .6rem 1.2rem; margin: .25rem .5rem .25rem 0; border: 2px solid #1d4ed8;
  border-radius: .5rem; background: #1d4ed8; color: #fff; text-decoration: none; cursor: pointer; }
button:focus-visible, .button:focus-visible, textarea:focus-visible { outline: 3px solid #f59e0b; outline-offset: 2px; }
label { display: block; font-weight: 600; margin-top: 1rem; }
textarea { box-sizing: border-box; width: 100%; font: .85rem/1.4 ui-monospace, monospace; word-break: break-all; }`;

/** `body` is HTML: callers escape all external text with `escapeHtml` first. */
export function sendPage(response: ServerResponse, status: number, title: string, body: string): void {
  const { headers, html } = pageOf(title, body);
  response.writeHead(status, headers).end(html);
}

/** For callers that send the page later. */
export function pageOf(
  title: string,
  body: string,
): { readonly headers: Record<string, string>; readonly html: string } {
  const nonce = crypto.randomUUID();
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; frame-ancestors 'none'; base-uri 'none'`,
  };
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Flowgate development sign-in</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<p class="notice" role="note"><strong>Development only.</strong> Any visitor of this page can sign in as any user.</p>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
<script nonce="${nonce}">
for (const button of document.querySelectorAll('button[data-copies]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const field = document.getElementById(button.dataset.copies);
    field.select();
    await navigator.clipboard.writeText(field.value);
    button.textContent = 'Copied';
  });
}
</script>
</body>
</html>
`;
  return { headers, html };
}

/** A labeled text to copy. Without scripts the text can still be selected; the button appears only where scripts run. */
export function copyableField(id: string, label: string, text: string, rows: number): string {
  return `<label for="${id}">${escapeHtml(label)}</label>
<textarea id="${id}" rows="${rows}" readonly spellcheck="false">${escapeHtml(text)}</textarea>
<button type="button" data-copies="${id}" hidden>Copy<span> ${escapeHtml(label.toLowerCase())}</span></button>`;
}

export function escapeHtml(text: string): string {
  return Bun.escapeHTML(text);
}

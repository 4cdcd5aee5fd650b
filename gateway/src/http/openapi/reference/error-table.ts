/** The error catalogue as a table: each reason, as each of the three envelopes shows it. */

import { refusalReasons, refusals, urnPrefix } from '../../../api/refusal.ts';
import { type Html, html, inline } from './html.ts';

export function errorTable(): Html {
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

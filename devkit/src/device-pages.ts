/** The pages of the device flow (RFC 8628): a user enters or confirms the code that a terminal shows. */
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { escapeHtml, pageOf } from './page.ts';

type DeviceFlow = NonNullable<NonNullable<Configuration['features']>['deviceFlow']>;

/** The form that oidc-provider supplies; it contains the CSRF token. */
export const devicePages: DeviceFlow = {
  enabled: true,
  userCodeInputSource: (context, form, _out, error) => {
    const problem = error === undefined ? '' : '<p role="alert">That code is not valid or has expired.</p>';
    show(
      context,
      'Sign in a device',
      `${problem}<p>Enter the code that your terminal shows.</p>${form}
<button type="submit" form="op.deviceInputForm">Continue</button>`,
    );
  },
  userCodeConfirmSource: (context, form, client, _device, userCode) => {
    const name = escapeHtml(client.clientName ?? client.clientId);
    show(
      context,
      'Is this your terminal?',
      `<p>${name} shows the code <strong>${escapeHtml(userCode)}</strong>.</p>${form}
<button type="submit" form="op.deviceConfirmForm">Yes, sign it in</button>
<button type="submit" form="op.deviceConfirmForm" name="abort" value="yes">No</button>`,
    );
  },
  successSource: (context) => show(context, 'Signed in', '<p>Your terminal continues. You can close this page.</p>'),
};

/** Set as the body, because oidc-provider sets the session cookie afterwards. */
function show(context: KoaContextWithOIDC, title: string, body: string): void {
  const { headers, html } = pageOf(title, body);
  context.set(headers);
  context.body = html;
}

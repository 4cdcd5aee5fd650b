/** What the gateway signs its requests to a sample app with: made from the installation's pepper, so that it is the same after a restart. */
import { createHmac } from 'node:crypto';

/** `whsec_…`, another one for each app. */
export function signingSecretOf(pepper: string, appId: string): string {
  return `whsec_${createHmac('sha256', pepper).update(`sample app ${appId}`).digest('base64')}`;
}

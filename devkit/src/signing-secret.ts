/** The secret with which the gateway signs its requests to a sample app: derived from the installation's pepper, so that it survives a restart. */
import { createHmac } from 'node:crypto';

/** `whsec_…`, different for each app. */
export function signingSecretOf(pepper: string, appId: string): string {
  return `whsec_${createHmac('sha256', pepper).update(`sample app ${appId}`).digest('base64')}`;
}

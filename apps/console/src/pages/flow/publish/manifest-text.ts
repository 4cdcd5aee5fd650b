/** Parses a version's manifest from JSON text. */
import type { VersionInput } from '@flowgate/client/flow-wire';

export const exampleManifest = `{
  "version": "1.0.0",
  "baseUrl": "https://pay.acme.example/flow",
  "startSteps": ["choose"],
  "steps": [{ "stepId": "choose" }, { "stepId": "done" }],
  "queries": [{ "queryId": "lastInvoice", "path": "/invoices/0" }],
  "events": [{ "type": "invoice_paid" }]
}`;

/** Members of a manifest file that belong to the app, not to the version. */
const ofTheApp: readonly string[] = ['appId', 'name', 'description', 'visibility'];

export type ReadManifest = { readonly input: VersionInput } | { readonly problem: string };

/** Validates the JSON only; the gateway validates the members. */
export function readManifest(text: string): ReadManifest {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { problem: 'The manifest must be a JSON object: {… }.' };
    const members = Object.entries(value).filter(([name]) => !ofTheApp.includes(name));
    // The gateway validates the members.
    return { input: Object.fromEntries(members) as VersionInput };
  } catch (error) {
    return { problem: `This is not valid JSON. ${error instanceof Error ? error.message : ''}` };
  }
}

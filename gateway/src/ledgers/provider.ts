/** An approved node provider: public nodes live at or below its domains (contract/networks#providers). */

export type Provider = { readonly providerId: string; readonly name: string; readonly domains: readonly string[] };

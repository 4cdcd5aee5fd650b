/** An approved node provider: its public nodes are at or below its domains (contract/networks#providers). */

export type Provider = { readonly providerId: string; readonly name: string; readonly domains: readonly string[] };

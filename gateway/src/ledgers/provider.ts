/** An approved node provider: public nodes live at or below its domains (decisions 6). */

export type Provider = { readonly providerId: string; readonly name: string; readonly domains: readonly string[] };

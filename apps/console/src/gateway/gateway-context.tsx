/** React context of the client and the rate limit. */
import type { Flowgate, RateLimit } from '@flowgate/client';
import { createContext, use, useSyncExternalStore } from 'react';
import type { RateLimitStore } from './rate-limit.ts';

export type GatewayDeps = { readonly client: Flowgate; readonly limits: RateLimitStore };

const GatewayContext = createContext<GatewayDeps | undefined>(undefined);

export const GatewayProvider = GatewayContext.Provider;

function useParts(): GatewayDeps {
  const parts = use(GatewayContext);
  if (parts === undefined) throw new Error('There is no gateway above this component.');
  return parts;
}

export const useGateway = (): Flowgate => useParts().client;

/** Undefined before the first response. */
export function useRateLimit(): RateLimit | undefined {
  const { limits } = useParts();
  return useSyncExternalStore(limits.subscribe, limits.now);
}

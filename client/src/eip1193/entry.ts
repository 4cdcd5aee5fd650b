/** The package's entry `@flowgate/client/eip1193`. */

// biome-ignore lint/performance/noBarrelFile: a package's entry is the list of what its users may import
export {
  type FlowgateProvider,
  type FlowgateProviderOptions,
  flowgateProvider,
  type ProviderRequest,
} from './flowgate-provider.ts';
export type { ProviderEvent, ProviderEventMap, ProviderListener, ProviderMessage } from './provider-events.ts';
export { ProviderRpcError } from './provider-rpc-error.ts';

/** Opens a version where it is: in this process, or behind its address. */

import { embeddedBaseUrl } from '../registry/version.ts';
import type { OpenFlowApp } from './flow-app.ts';

export function createOpenFlowApp({ embedded, http }: { embedded: OpenFlowApp; http: OpenFlowApp }): OpenFlowApp {
  return (version) => (version.manifest.baseUrl === embeddedBaseUrl ? embedded(version) : http(version));
}

/** A log for tests that do not examine it. */

import { systemClock } from '@flowgate/base/clock';
import { createLog, type Log } from '@flowgate/telemetry/log';

export function quietLog(): Log {
  return createLog({ level: 'error', clock: systemClock, redact: (text) => text, write: () => {} });
}

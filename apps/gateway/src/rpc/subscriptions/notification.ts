/** A notification of a subscription: what is the same for all of its notifications is written once, and results are shared by all subscribers. */

import type { ByteContent } from '@flowgate/bytes/byte-content';
import type { ByteWriter } from '@flowgate/bytes/byte-writer';

const end = Buffer.from('}}');

/** `id`: of the subscription. The returned function takes the JSON text of a result. */
export function notificationsOf(id: string): (result: Uint8Array) => ByteContent {
  const start = Buffer.from(
    `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":${JSON.stringify(id)},"result":`,
  );
  return (result) => new Notification(start, result);
}

class Notification implements ByteContent {
  constructor(
    private readonly start: Uint8Array,
    private readonly result: Uint8Array,
  ) {}

  get length(): number {
    return this.start.length + this.result.length + end.length;
  }

  writeTo(writer: ByteWriter): void {
    writer.put(this.start);
    writer.put(this.result);
    writer.put(end);
  }
}

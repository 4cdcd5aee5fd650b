/** The codes with which the gateway closes WebSockets (contract/websocket#closing). */

/** Close codes of the gateway's own, and the registered ones that it sends (RFC 6455 7.4; contract/websocket#closing). */
export const closeCodes = {
  normal: 1000,
  policy: 1008,
  failed: 1011,
  restart: 1012,
  tryLater: 1013,
  credentialEnded: 4001,
  tooSlow: 4008,
} as const;

/** A close frame without a code (RFC 6455 7.1.5). */
export const noCode = 1005;

export const credentialEndedText = 'The API key was revoked, or has expired.';

/** The data of a close frame: at most 123 bytes of reason. */
export function closeData(code: number, reason: string): Uint8Array {
  const data = Buffer.alloc(2 + Buffer.byteLength(reason));
  data.writeUInt16BE(code);
  data.write(reason, 2);
  return data;
}

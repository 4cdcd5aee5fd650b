/** Request ids: unique over processes and restarts by a random prefix, within a process by a counter, at the price of a concatenation. */

export function createRequestIds(randomBytes: (length: number) => Uint8Array): () => string {
  const prefix = Buffer.from(randomBytes(9)).toString('base64url').replaceAll('-', 'A').replaceAll('_', 'B');
  let issued = 0;
  return () => `req_${prefix}${(issued++).toString(36).padStart(5, '0')}`;
}

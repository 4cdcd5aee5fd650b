/** What may be told of an error of a socket or a resolver. */

/** The code alone: messages of resolvers and of TLS name hosts. */
export function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]{1,64}$/.test(code) ? code : 'closed';
}

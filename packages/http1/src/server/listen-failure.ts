/** Describes for the operator why the server cannot listen: the runtime's own message names no port. */

export function listenFailure(hostname: string, port: number, cause: unknown): Error {
  const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
  return new Error(`cannot listen at ${hostname}, port ${port}${isTaken ? ': the port is in use' : ''}`, { cause });
}

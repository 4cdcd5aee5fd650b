/** That no one can listen there, in a sentence for the operator: the runtime's own names no port. */

export function listenFailure(hostname: string, port: number, cause: unknown): Error {
  const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
  return new Error(`cannot listen at ${hostname}, port ${port}${isTaken ? ': the port is in use' : ''}`, { cause });
}

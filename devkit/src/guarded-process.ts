/** A child process that ends with this process, also after a crash or SIGKILL of this process. */
import { closeSync, openSync } from 'node:fs';

export type GuardedProcess = {
  readonly pid: number;
  /** The exit code; 128 + n after signal n. */
  readonly exited: Promise<number>;
  /** Sends SIGTERM, and SIGKILL after `graceMs`. Resolves once the process is gone; repeated calls are harmless. */
  stop(): Promise<void>;
  /** Sends SIGKILL at once, for fault tests and a second Ctrl-C. */
  kill(): Promise<void>;
};

export type GuardedProcessOptions = {
  /** Receives both output streams; truncated first. A file rather than a pipe, because the child must be able to write after this process has ended. */
  readonly logFile: string;
  readonly cwd?: string;
  /** The child's whole environment; default: that of this process. */
  readonly env?: Record<string, string | undefined>;
  /** Default 10 000. */
  readonly graceMs?: number;
};

/**
 * The guard reads from a pipe whose only writer is this process. When this process ends in any way, the read ends, and the guard sends the child SIGTERM, then
 * SIGKILL. This works on every POSIX system, whereas parent-death signals exist on Linux only. The guard ignores Ctrl-C, which it also receives, because it
 * must run until the child is gone.
 */
const guardScript = `trap '' INT TERM HUP
read -r _
kill -TERM "$1" 2>/dev/null || exit 0
i=0
while [ "$i" -lt 50 ]; do
  kill -0 "$1" 2>/dev/null || exit 0
  sleep 0.1
  i=$((i + 1))
done
kill -KILL "$1" 2>/dev/null`;

export function spawnGuarded(command: readonly string[], options: GuardedProcessOptions): GuardedProcess {
  const log = openSync(options.logFile, 'w', 0o600);
  const child = Bun.spawn([...command], {
    stdin: 'ignore',
    stdout: log,
    stderr: log,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.env === undefined ? {} : { env: options.env }),
  });
  closeSync(log);
  const guard = Bun.spawn(['/bin/sh', '-c', guardScript, 'flowgate-guard', String(child.pid)], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
  });
  guard.unref();
  const exited = child.exited.then(async (code) => {
    guard.kill('SIGKILL');
    await guard.exited;
    return code;
  });
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    const insist = setTimeout(() => child.kill('SIGKILL'), options.graceMs ?? 10_000);
    await exited;
    clearTimeout(insist);
  };
  return { pid: child.pid, exited, stop, kill };
}

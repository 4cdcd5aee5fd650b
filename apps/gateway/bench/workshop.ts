/**
 * Everything that a bench run creates outside its own process (processes, a directory), so that it is always removed.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Started = { readonly pid: number; readonly stop: () => Promise<void> };

export class Workshop {
  readonly directory = mkdtempSync(join(tmpdir(), 'flowgate-bench-'));
  readonly #endings: (() => void | Promise<void>)[] = [];
  #closing: Promise<void> | undefined;

  /** Writes a file into the directory and returns its path. */
  write(name: string, text: string): string {
    const path = join(this.directory, name);
    writeFileSync(path, text);
    return path;
  }

  /** Registers an action for `close`, which runs them in reverse order; runs it at once if `close` was called already. */
  atEnd(ending: () => void | Promise<void>): void {
    if (this.#closing === undefined) this.#endings.push(ending);
    else void ending();
  }

  /** Starts a program, whose output goes to `<name>.log`; an error quotes the end of it. Resolves when `ready` does. */
  async start(name: string, command: readonly string[], ready: () => Promise<boolean>): Promise<Started> {
    const log = Bun.file(join(this.directory, `${name}.log`));
    const child = Bun.spawn([...command], {
      stdin: 'ignore',
      stdout: log,
      stderr: log,
      cwd: this.directory,
    });
    const stop = async (): Promise<void> => {
      child.kill('SIGTERM');
      const patience = setTimeout(() => child.kill('SIGKILL'), 5000);
      await child.exited;
      clearTimeout(patience);
    };
    this.atEnd(stop);
    const deadline = performance.now() + 20_000;
    while (!(await ready().catch(() => false))) {
      if (child.exitCode !== null || performance.now() > deadline) {
        const said = readFileSync(join(this.directory, `${name}.log`), 'utf8').slice(-2000);
        throw new Error(`${name} did not start (exit ${child.exitCode}):\n${said}`);
      }
      await Bun.sleep(20);
    }
    return { pid: child.pid, stop };
  }

  /** Ends everything. Repeated calls wait for the first one. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    for (let end = this.#endings.pop(); end !== undefined; end = this.#endings.pop()) await end();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** A loopback port that was just free, for programs that cannot report their port. */
export async function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const server = createServer().listen(0, '127.0.0.1', () => {
    const address = server.address();
    server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
  });
  return promise;
}

export async function accepts(port: number): Promise<boolean> {
  const socket = await Bun.connect({ hostname: '127.0.0.1', port, socket: { data: () => undefined } });
  socket.terminate();
  return true;
}

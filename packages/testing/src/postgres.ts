/**
 * PostgreSQL 15 or newer for tests, on a free port, in a temporary directory, without fsync. `npm test` runs one server
 * for all test files; a file that runs without it starts its own. Each caller gets a fresh database. Tests that stop or
 * pause a server have one of their own.
 */

import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQL, type Subprocess, which } from 'bun';
import { tryToInstall } from './debian-package.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

export type TestPostgres = {
  readonly port: number;
  /** Creates a database, empty or a copy of the template's, and returns its address, `postgres://…`. */
  readonly freshDatabase: (template?: DatabaseTemplate) => Promise<string>;
  /** A name for a user or a database that does not exist yet. */
  readonly freshName: () => string;
  /** Runs a statement as an administrator, over a connection of its own. */
  readonly admin: (text: string, database?: string) => Promise<readonly Record<string, unknown>[]>;
};

/**
 * `fill` runs once for each server. It must leave no connection open, because a database can be copied only while
 * nothing is connected to it.
 */
export type DatabaseTemplate = { readonly name: string; readonly fill: (url: string) => Promise<void> };

/** A server that no other test process uses. */
export type OwnPostgres = TestPostgres & {
  /** Sends SIGSTOP to every process of the server. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Sends SIGKILL to every process of the server; resolves when they have ended. */
  readonly kill: () => Promise<void>;
  /** Sends SIGQUIT: the server stops at once and its connections end. */
  readonly stop: () => Promise<void>;
  /** Starts it again on the same port, with the same data. */
  readonly start: () => Promise<void>;
  /** Starts it as a replica that waits for its primary; the next `start` makes it a primary again. */
  readonly startAsReplica: () => Promise<void>;
};

const administrator = 'flowgate_test';
/** initdb and the server refuse to run as root. */
const systemUser = process.getuid?.() === 0 ? (idOf('postgres') ?? idOf('nobody')) : undefined;
const binaries = findOrInstall();

/** Undefined when PostgreSQL is installed; otherwise why tests that need it are skipped (never with CI=true, where they fail instead). */
export const postgresMissing: string | undefined =
  binaries === undefined ? 'PostgreSQL is not on this machine and could not be installed' : undefined;
if (postgresMissing !== undefined && process.env['CI'] === 'true') throw new Error(postgresMissing);

/** The port of the server that `npm test` runs for all test processes (serve-postgres.ts). */
const sharedPort = process.env['FLOWGATE_TEST_POSTGRES'];

let own: Promise<OwnPostgres> | undefined;
const templates = new Map<string, Promise<void>>();

/** The server of the run, or the one of the process. */
export function testPostgres(): Promise<TestPostgres> {
  return sharedPort === undefined ? ownPostgres() : Promise.resolve(connectTo(Number(sharedPort)));
}

/** The one server of the process, with the settings of its first caller, such as `fsync=off`; it ends with the process. */
export function ownPostgres(...more: readonly string[]): Promise<OwnPostgres> {
  own ??= startCluster(more);
  return own;
}

function connectTo(port: number): TestPostgres {
  const urlOf = (database: string) => `postgres://${administrator}@127.0.0.1:${port}/${database}`;
  const connect = (database: string) => new SQL(urlOf(database), { max: 1, connectionTimeout: 5, tls: 'disable' });
  const admin = async (text: string, database = 'postgres') => {
    const client = connect(database);
    try {
      return await client.unsafe<Record<string, unknown>[]>(text);
    } finally {
      await client.close({ timeout: 0 });
    }
  };
  // Test processes that share a server choose names concurrently.
  const freshName = () => `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const fillTemplate = async ({ name, fill }: DatabaseTemplate) => {
    const client = connect('postgres');
    try {
      // The lock ends with the connection.
      await client`SELECT pg_advisory_lock(hashtextextended(${name}, 0))`;
      if ((await client`SELECT 1 FROM pg_database WHERE datname = ${name}`).length > 0) return;
      const unfilled = freshName();
      await client.unsafe(`CREATE DATABASE ${unfilled}`);
      await fill(urlOf(unfilled));
      await client.unsafe(`ALTER DATABASE ${unfilled} RENAME TO ${name}`);
    } finally {
      await client.close({ timeout: 0 });
    }
  };
  return {
    port,
    admin,
    freshName,
    async freshDatabase(template) {
      const name = freshName();
      if (template === undefined) await admin(`CREATE DATABASE ${name}`);
      else {
        const key = `${port} ${template.name}`;
        const filled = templates.get(key) ?? fillTemplate(template);
        templates.set(key, filled);
        await filled;
        await admin(`CREATE DATABASE ${name} TEMPLATE ${template.name}`);
      }
      return urlOf(name);
    },
  };
}

/**
 * Enough connections for a whole run. Autovacuum is off: it would visit every database of the run, and a test is over
 * before it begins.
 */
const settings = ['max_connections=300', 'autovacuum=off', 'max_wal_size=256MB'];

async function startCluster(more: readonly string[]): Promise<OwnPostgres> {
  const directory = mkdtempSync(join(tmpdir(), 'flowgate-postgres-'));
  if (systemUser !== undefined) chownSync(directory, systemUser.uid, systemUser.gid);
  const data = join(directory, 'data');
  makeData(data, directory);
  // Roles that tests create have passwords; the administrator needs none on loopback.
  writeFileSync(
    join(data, 'pg_hba.conf'),
    `host all ${administrator} 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n`,
  );
  const port = freePort();
  let server: Subprocess | undefined;
  const client = connectTo(port);
  const signal = (name: NodeJS.Signals) => {
    // A process that has ended has no id any more: another process may have it by now.
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    for (const pid of [server.pid, ...childrenOf(server.pid)]) sendSignal(pid, name);
  };
  const start = async () => {
    const place = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', '', '-F'];
    const set = [...settings, ...more].flatMap((setting) => ['-c', setting]);
    server = Bun.spawn(asSystemUser([program('postgres'), ...place, ...set]), {
      cwd: directory,
      stdout: 'ignore',
      stderr: 'ignore',
    });
    const { exited } = server;
    const ended = exited.then(() => Promise.reject(new Error('PostgreSQL did not start')));
    const answers = () =>
      client.admin('SELECT 1').then(
        () => true,
        () => false,
      );
    await Promise.race([until('PostgreSQL answers', answers), ended]);
  };
  const end = async (name: NodeJS.Signals) => {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const pids = childrenOf(server.pid);
    if (name === 'SIGKILL') signal(name);
    else server.kill(name);
    await server.exited;
    // Orphaned processes use the port and the shared memory until they notice that their parent has ended.
    await until('they are gone', () => !pids.some((pid) => existsSync(`/proc/${pid}`)));
  };
  endWithThisProcess(directory);
  await start();
  return {
    ...client,
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGQUIT'),
    start,
    async startAsReplica() {
      writeFileSync(join(data, 'standby.signal'), '');
      await start();
      rmSync(join(data, 'standby.signal'));
    },
  };
}

/**
 * Creates the directory, copied if possible: the files of one `npm test` run share a folder. The first file that needs
 * a cluster leaves a copy of it there, which the others use in a tenth of the time.
 */
function makeData(data: string, directory: string): void {
  const shared = process.env['FLOWGATE_TEST_DIRECTORY'];
  const template = shared === undefined ? undefined : join(shared, 'postgres-data');
  if (template !== undefined && existsSync(template)) {
    run(['cp', '-a', template, data], directory);
    return;
  }
  const options = ['-D', data, '-U', administrator, '-A', 'trust', '-E', 'UTF8', '--no-sync'];
  run(asSystemUser([program('initdb'), ...options]), directory);
  if (template === undefined) return;
  const copy = `${template}-${process.pid}`;
  run(['cp', '-a', data, copy], directory);
  try {
    renameSync(copy, template);
  } catch {
    // Another test file has made it first.
    rmSync(copy, { recursive: true, force: true });
  }
}

function run(command: readonly string[], cwd: string): void {
  const ended = Bun.spawnSync([...command], { cwd, stdout: 'ignore', stderr: 'pipe' });
  if (ended.exitCode !== 0) throw new Error(`${command[0]} failed: ${ended.stderr.toString()}`);
}

function program(name: string): string {
  return join(binaries ?? '', name);
}

/**
 * Test runners have no hook at the end of the process. A shell waits for the end of its input, which closes when this
 * process ends in any way, stops the server and removes its files. The shell ignores the signal that the runner sends
 * to all remaining processes of a test file. A killed server leaves its process id behind, which another process may
 * have by then.
 */
export function endWithThisProcess(directory: string): void {
  const script = `trap '' TERM INT HUP
    cat > /dev/null
    pid=$(head -n 1 "$1/data/postmaster.pid" 2> /dev/null)
    case "$(ps -o args= -p "$pid" 2> /dev/null)" in *"$1/data"*) ;; *) pid= ;; esac
    if [ -n "$pid" ]; then for each in $pid $(ps -o pid= --ppid $pid); do kill -CONT $each; kill -KILL $each; done 2> /dev/null; fi
    for each in 1 2 3 4 5 6 7 8 9 10; do sleep 0.1; rm -rf "$1" && exit; done`;
  // In a process group of its own, so that a signal to the test run's group does not end it.
  const apart = { stdin: 'pipe', stdout: 'ignore', stderr: 'ignore', detached: true } as const;
  Bun.spawn(['sh', '-c', script, 'sh', directory], apart).unref();
}

function asSystemUser(command: readonly string[]): string[] {
  if (systemUser === undefined) return [...command];
  const { uid, gid } = systemUser;
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...command];
}

function idOf(user: string): { uid: number; gid: number } | undefined {
  const [, uid, gid] = new RegExp(`^${user}:[^:]*:(\\d+):(\\d+):`, 'm').exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

function findOrInstall(): string | undefined {
  const found = find();
  if (found !== undefined) return found;
  tryToInstall('postgresql');
  return find();
}

/** The directory with `postgres` and `initdb`, version 15 or newer. */
function find(): string | undefined {
  const root = '/usr/lib/postgresql';
  const packaged = existsSync(root) ? readdirSync(root).map((version) => join(root, version, 'bin')) : [];
  const configured =
    which('pg_config') === null ? [] : [Bun.spawnSync(['pg_config', '--bindir']).stdout.toString().trim()];
  return [...packaged.sort().reverse(), ...configured].find((directory) => {
    if (!existsSync(join(directory, 'initdb'))) return false;
    const version = Bun.spawnSync([join(directory, 'postgres'), '--version']).stdout.toString();
    return Number(/(\d+)/.exec(version)?.[1]) >= 15;
  });
}

function childrenOf(pid: number): number[] {
  const listed = Bun.spawnSync(['ps', '-o', 'pid=', '--ppid', String(pid)]).stdout.toString();
  return listed
    .split('\n')
    .map(Number)
    .filter((child) => child > 0);
}

function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It had ended by itself.
  }
}

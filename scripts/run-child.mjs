/** Runs one child to its end: forwards signals exactly once, and ends the child when the process that started this one has ended. */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const isLinux = process.platform === 'linux';
const parentPollMs = 250;
const sameSignalMs = 500;
/** Longer than any child needs for a graceful shutdown, so that only a hanging one is killed. */
const graceMs = 15_000;

/** After a signal no other child is started: Ctrl-C ends the whole command, not only the part that runs. */
let isInterrupted = false;
const interruptedCode = 128 + constants.signals.SIGINT;

/**
 * The child leads its own process group: Ctrl-C reaches it once, through this process, and not also from the terminal. With `limitMs`, processes that still run
 * after that time are listed and killed. `onErrorText` receives the child's stderr, which is also forwarded.
 * @returns {Promise<number>} the exit code, 128 + n after signal n.
 */
export async function runChild(command, args, { limitMs, onErrorText, ...options } = {}) {
  if (isInterrupted) return interruptedCode;
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  let forwardedMs;
  // A Ctrl-C reaches this process from the terminal and again through npm. The child must receive it once, because it treats a second one as a command to exit
  // at once.
  const forward = (signal) => {
    isInterrupted = true;
    if (forwardedMs !== undefined && performance.now() - forwardedMs < sameSignalMs) return;
    forwardedMs = performance.now();
    child.kill(signal);
  };
  // Before the child exists: a signal in between would end this process and leave the child.
  for (const signal of signals) process.on(signal, forward);
  const stdio = ['ignore', 'inherit', onErrorText === undefined ? 'inherit' : 'pipe'];
  const child = spawn(command, args, { stdio, ...options, detached: true });
  child.stderr?.pipe(process.stderr, { end: false });
  child.stderr?.setEncoding('utf8').on('data', onErrorText);
  const parents = watchParents(() => {
    isInterrupted = true;
    if (forwardedMs === undefined) child.kill('SIGTERM');
    setTimeout(() => signalGroup(child.pid, 'SIGKILL'), graceMs).unref();
  });
  const limit = limitMs === undefined ? undefined : setTimeout(() => endGroup(child.pid, limitMs), limitMs);
  const code = await new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(`${command}: ${error.message}`);
      resolve(127);
    });
    child.on('exit', (status, signal) => resolve(status ?? 128 + constants.signals[signal]));
  });
  clearInterval(parents);
  clearTimeout(limit);
  if (child.pid !== undefined) await sweepGroup(child.pid);
  for (const signal of signals) process.off(signal, forward);
  return code;
}

/** Processes that a crashed child left in its group get time to end, and are then killed. */
async function sweepGroup(pid) {
  for (let waitedMs = 0; waitedMs < graceMs && signalGroup(pid, 0); waitedMs += 50) await sleep(50);
  signalGroup(pid, 'SIGKILL');
}

/** Lists the hanging processes before they are killed. */
function endGroup(pid, limitMs) {
  const columns = isLinux ? 'pgid=,pid=,stat=,etime=,time=,args=' : 'pgid=,pid=,stat=,etime=,time=,command=';
  const running = execFileSync('ps', ['-A', '-o', columns], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => Number.parseInt(line, 10) === pid);
  console.error(`still running after ${limitMs / 60_000} min, and ended now:\n${running.join('\n')}`);
  signalGroup(pid, 'SIGKILL');
}

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

/**
 * Calls back once npm has ended. npm runs a script through a shell, which may outlive npm, so the shell's parent is watched. Without npm no process is watched:
 * `nohup node scripts/start.mjs &` is meant to keep running.
 */
function watchParents(onGone) {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const parent = process.ppid;
  const npm = isShell(parent) ? parentOf(parent) : undefined;
  const timer = setInterval(() => {
    if (process.ppid === parent && (npm === undefined || hasParent(parent, npm))) return;
    clearInterval(timer);
    onGone();
  }, parentPollMs);
  return timer;
}

function isShell(pid) {
  const name = isLinux ? readFileSync(`/proc/${pid}/comm`, 'utf8') : ps(pid, 'comm');
  return /sh$/.test(name.trim());
}

function parentOf(pid) {
  // The process' name is in parentheses before the state, and may itself contain spaces and parentheses.
  if (isLinux)
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) . /s, '')
        .split(' ')[0],
    );
  return Number(ps(pid, 'ppid'));
}

/** Called by polling, so it starts no process. On systems other than Linux it only checks that the parent exists. */
function hasParent(pid, parent) {
  try {
    if (isLinux) return parentOf(pid) === parent;
    process.kill(parent, 0);
    return true;
  } catch {
    return false;
  }
}

function ps(pid, field) {
  return execFileSync('ps', ['-o', `${field}=`, '-p', String(pid)], { encoding: 'utf8' });
}

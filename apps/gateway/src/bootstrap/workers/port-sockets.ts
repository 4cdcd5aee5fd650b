/**
 * Listening sockets on one port, one for each of several processes, opened by the process that supervises them: a socket stays open while its process is replaced, so that connections
 * wait in its queue instead of being reset (docs/decisions/0069). The runtime opens no socket without accepting from it, so the system is asked directly.
 */

import { dlopen, ptr } from 'bun:ffi';
import { lookup } from 'node:dns/promises';

export type PortSockets = {
  /** File descriptors, for processes to inherit. */
  readonly fds: readonly number[];
  /** New connections are refused once the processes have closed theirs too. */
  readonly close: () => void;
};

export type PortAddress = { readonly hostname: string; readonly port: number };

/** Of Linux. */
const linux = {
  afInet: 2,
  afInet6: 10,
  sockStreamCloseOnExec: 0o2000001,
  solSocket: 1,
  soReuseAddr: 2,
  soReusePort: 15,
};
/** The queue of connections that no one has accepted yet; the system's own bound applies when it is lower. */
const backlog = 511;

/** @throws when a socket cannot be opened. Another process of this user that shares the port is not noticed. */
export async function openPortSockets({ hostname, port }: PortAddress, count: number): Promise<PortSockets> {
  const { address, family } = await lookup(hostname);
  const system = openSystem();
  const fds: number[] = [];
  const close = () => {
    for (const fd of fds.splice(0)) system.close(fd);
  };
  try {
    for (let nth = 0; nth < count; nth++) fds.push(listen(system, address, family, port));
  } catch (error) {
    close();
    throw error;
  }
  return { fds: [...fds], close };
}

function openSystem() {
  const { symbols } = dlopen('libc.so.6', {
    socket: { args: ['int', 'int', 'int'], returns: 'int' },
    setsockopt: { args: ['int', 'int', 'int', 'ptr', 'u32'], returns: 'int' },
    inet_pton: { args: ['int', 'ptr', 'ptr'], returns: 'int' },
    bind: { args: ['int', 'ptr', 'u32'], returns: 'int' },
    listen: { args: ['int', 'int'], returns: 'int' },
    close: { args: ['int'], returns: 'int' },
  });
  return symbols;
}

type System = ReturnType<typeof openSystem>;

function listen(system: System, address: string, family: number, port: number): number {
  const fd = system.socket(family === 6 ? linux.afInet6 : linux.afInet, linux.sockStreamCloseOnExec, 0);
  if (fd < 0) throw new Error('no socket could be opened');
  const yes = new Int32Array([1]);
  const place = socketAddress(system, address, family, port);
  const failed =
    system.setsockopt(fd, linux.solSocket, linux.soReuseAddr, ptr(yes), 4) !== 0 ||
    system.setsockopt(fd, linux.solSocket, linux.soReusePort, ptr(yes), 4) !== 0 ||
    system.bind(fd, ptr(place), place.length) !== 0 ||
    system.listen(fd, backlog) !== 0;
  if (!failed) return fd;
  system.close(fd);
  throw new Error('the port cannot be shared');
}

/** `struct sockaddr_in` and `sockaddr_in6`: the family in the machine's byte order, the port in that of the network, then the address (for IPv6 after the flow). */
function socketAddress(system: System, address: string, family: number, port: number): Uint8Array {
  const isV6 = family === 6;
  const bytes = new Uint8Array(isV6 ? 28 : 16);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, isV6 ? linux.afInet6 : linux.afInet, true);
  view.setUint16(2, port, false);
  const text = Buffer.from(`${address}\0`);
  const found = new Uint8Array(isV6 ? 16 : 4);
  if (system.inet_pton(isV6 ? linux.afInet6 : linux.afInet, ptr(text), ptr(found)) !== 1)
    throw new Error('no address to listen at');
  bytes.set(found, isV6 ? 8 : 4);
  return bytes;
}

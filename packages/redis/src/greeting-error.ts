/** Finds out for the operator why a connection to Redis cannot be opened: the client only says that it was closed. */

import { connect as connectPlain } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** Greets once over a connection of its own. Returns the error that Redis sends, without any secret; undefined when there is none within the time. */
export function greetingError(url: string, timeoutMs: number): Promise<string | undefined> {
  const parsed = URL.parse(url);
  if (parsed === null) return Promise.resolve('the address is not a URL');
  const { protocol, hostname, port, username, password } = parsed;
  const secure = ['rediss:', 'valkeys:', 'redis+tls:'].includes(protocol);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const to = { host, port: Number(port === '' ? 6379 : port) };
  const words = ['HELLO', '3'];
  if (password !== '') words.push('AUTH', username === '' ? 'default' : decoded(username), decoded(password));

  return new Promise((resolve) => {
    const greet = () => {
      socket.write(`*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`);
    };
    const socket = secure ? connectTls({ ...to, servername: host }, greet) : connectPlain(to, greet);
    const end = (reason: string | undefined) => {
      socket.destroy();
      resolve(reason);
    };
    socket.setTimeout(timeoutMs, () => end(`no greeting within ${timeoutMs} ms`));
    socket.on('error', (error: Error & { code?: string }) =>
      end(error.code === 'ECONNREFUSED' ? 'connection refused' : `${error.message || error.code}`),
    );
    socket.on('close', () => end('closed without a greeting'));
    let text = '';
    socket.on('data', (piece: Buffer) => {
      text += piece.toString('latin1');
      if (text.includes('\n')) end(text.startsWith('-') ? text.slice(1, text.indexOf('\n')).trim() : undefined);
    });
  });
}

/** A percent sign that encodes nothing stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Parses `postgres://user:password@host:port/database?sslmode=…`, and formats it without the password. */

import { UnusableDatabase } from '../unusable-database.ts';

/** With libpq's meanings: `prefer` (the default) uses TLS if the server offers it, `require` demands it, the last two check the certificate. */
const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
type SslMode = (typeof sslModes)[number];

export type PostgresAddress = {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly sslMode: SslMode;
  /** A file of certificate authorities, for `verify-ca` and `verify-full`. */
  readonly sslRootCert?: string;
  /** For messages: without the password. */
  readonly label: string;
};

const known = ['sslmode', 'sslrootcert'];

/** Throws `UnusableDatabase` with a sentence that never repeats a part of the address that may be a password. */
export function readPostgresAddress(text: string): PostgresAddress {
  const url = URL.parse(text);
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol) || url.hostname === '')
    throw new UnusableDatabase('the database address must be postgres://user:password@host:port/database');
  const [user, password, database] = [url.username, url.password, url.pathname.slice(1)].map(decoded);
  if (!user || !database || database.includes('/'))
    throw new UnusableDatabase(
      'the database address must name a user and a database: postgres://user:password@host:port/database',
    );
  const parameters = new Map(url.searchParams);
  const stranger = [...parameters.keys()].find((name) => !known.includes(name));
  if (stranger !== undefined)
    throw new UnusableDatabase(`the database address allows sslmode and sslrootcert, not ${JSON.stringify(stranger)}`);
  const asked = parameters.get('sslmode') ?? 'prefer';
  const sslMode = sslModes.find((mode) => mode === asked);
  if (sslMode === undefined)
    throw new UnusableDatabase(`sslmode in the database address must be one of ${sslModes.join(', ')}`);
  const sslRootCert = parameters.get('sslrootcert');
  const port = url.port === '' ? 5432 : Number(url.port);
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port,
    user,
    password: password ?? '',
    database,
    sslMode,
    ...(sslRootCert === undefined ? {} : { sslRootCert }),
    label: `postgres://${url.username}@${url.hostname}:${port}/${database}`,
  };
}

/** The problem of the address; undefined when it is valid. */
export function postgresAddressProblem(text: string): string | undefined {
  try {
    readPostgresAddress(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof UnusableDatabase)) throw error;
    return error.message;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new UnusableDatabase('the database address has a % that is not followed by two hexadecimal digits');
  }
}

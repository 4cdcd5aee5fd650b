/** Names that operators and publishers choose: of networks, nodes, providers, steps, queries and events. */

/** Safe in a path, a file name and a log line without escaping. */
export const identifierForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Domain names (RFC 1123), in small letters; names in other letters in their form for the DNS (`xn--`). */
export const domainForm =
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,20}[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

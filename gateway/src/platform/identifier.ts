/** Names that operators and publishers choose: of networks, nodes, providers, steps, queries and events. */

/** Safe in a path, a file name and a log line without escaping. */
export const identifierForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The syntax of an authority (host and port), as in `Host` and in a target in absolute form. */

/** RFC 3986 3.2: a registered name, an IPv4 address or a bracketed IP literal, and an optional port. Userinfo is not allowed here (RFC 9110 4.2.4). */
export const authorityForm =
  /^(?:\[[0-9A-Fa-f:.]{2,45}\]|(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)(?::[0-9]{0,5})?$/;

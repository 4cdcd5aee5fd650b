/** The gateway's icon at `/favicon.ico`: an open gate. */

export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b57c4"/><path d="M8 25V13a8 8 0 0 1 16 0v12" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/><path d="M16 25V15" stroke="#7db3ff" stroke-width="3" stroke-linecap="round"/></svg>';

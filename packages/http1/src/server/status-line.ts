/** The status line of an answer, and its `Date` header. */

/** RFC 9110 15. Other status codes are sent without a reason phrase, which RFC 9112 4 allows. */
const phrases: Readonly<Record<number, string>> = {
  100: 'Continue',
  101: 'Switching Protocols',
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  206: 'Partial Content',
  304: 'Not Modified',
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  417: 'Expectation Failed',
  422: 'Unprocessable Content',
  426: 'Upgrade Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  505: 'HTTP Version Not Supported',
};

const lines = new Map<number, string>();

export function statusLine(status: number): string {
  const known = lines.get(status);
  if (known !== undefined) return known;
  const line = `HTTP/1.1 ${status} ${phrases[status] ?? ''}\r\n`;
  lines.set(status, line);
  return line;
}

const starts = new Map<number, { readonly dateLine: string; readonly bytes: Uint8Array }>();

/** The beginning of an answer: status line and date. Cached per status for one second. */
export function replyStart(status: number, dateLine: string): Uint8Array {
  const known = starts.get(status);
  if (known !== undefined && known.dateLine === dateLine) return known.bytes;
  const bytes = Buffer.from(statusLine(status) + dateLine);
  starts.set(status, { dateLine, bytes });
  return bytes;
}

/** `Date: …` with its line end (RFC 9110 6.6.1). */
export function dateLine(nowMs: number): string {
  return `Date: ${new Date(nowMs).toUTCString()}\r\n`;
}

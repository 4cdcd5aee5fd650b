/** Why the head of a request is refused. */

export type HeadFaultStatus = 400 | 408 | 414 | 417 | 431 | 501 | 505;

/** The sentence is for the caller and repeats nothing of the request. */
export type HeadFault = { readonly status: HeadFaultStatus; readonly detail: string };

export function wrongHead(detail: string): HeadFault {
  return { status: 400, detail };
}

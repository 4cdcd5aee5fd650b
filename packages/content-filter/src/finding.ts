/** The result of a rule of the content filter. */

/** `flag`: the text passes, with a warning for clients that show it. */
export type Finding = 'refuse' | 'flag' | undefined;

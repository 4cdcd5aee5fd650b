/** What a rule of the content filter makes of a text. */

/** `flag`: the text may pass, with a warning for whoever shows it. */
export type Finding = 'refuse' | 'flag' | undefined;

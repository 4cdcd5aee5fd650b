/** The form of the ids that a step gives to its fields and actions. */

/** Ids appear in messages, pointers and logs. `__proto__` is refused because clients that copy objects carelessly would lose such a member. */
export const isFieldId = (text: string): boolean => /^[A-Za-z0-9._:/$-]{1,128}$/.test(text) && text !== '__proto__';

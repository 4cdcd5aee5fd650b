/** The form of the ids that a step gives to its fields and actions. */

/** They stand in messages, pointers and logs. A member named `__proto__` would be lost by clients that copy objects carelessly. */
export const isFieldId = (text: string): boolean => /^[A-Za-z0-9._:/$-]{1,128}$/.test(text) && text !== '__proto__';

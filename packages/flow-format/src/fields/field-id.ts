/** The form of field ids and action ids in a step. */

export const fieldIdForm = /^[A-Za-z0-9._:/$-]{1,128}$/;

/** Ids appear in messages, pointers and logs. `__proto__` is refused, because clients that copy objects carelessly would lose such a member. */
export const isFieldId = (text: string): boolean => fieldIdForm.test(text) && text !== '__proto__';

/** What an app may keep for a user (contract/flow-apps#sessions, App data). */

/** Of names and values as JSON text, for one user and app. */
export const maxAppDataBytes = 1_048_576;
/** Each is a row, and every step of the user reads them all. */
export const maxAppDataNames = 10_000;

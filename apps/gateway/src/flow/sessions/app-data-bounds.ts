/** Limits of the app data of one user and app (contract/sessions#life-cycle, App data). */

/** Maximum bytes of names and values together, as JSON text. */
export const maxAppDataBytes = 1_048_576;
/** Each name is a row, and every step of the user reads all of them. */
export const maxAppDataNames = 10_000;

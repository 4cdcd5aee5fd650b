/** The platform's own event types, which no app can declare. */

/** All other events in a session have a type that the app's version declares. */
export const platformEventTypes = [
  'session_created',
  'step_submitted',
  'session_completed',
  'session_cancelled',
  'session_expired',
  'session_failed',
] as const;

/** Only in a session's own events; no one can subscribe to them. */
export const loggedEventTypes = ['subscription_disabled'] as const;

export type PlatformEventType = (typeof platformEventTypes)[number];

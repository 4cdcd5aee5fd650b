/** The event types that are the platform's own: an app's version cannot declare them. */

/** Every session has these; whatever else happens in it has a type that the app's version declares. */
export const platformEventTypes = [
  'session_created',
  'step_submitted',
  'session_completed',
  'session_cancelled',
  'session_expired',
  'session_failed',
] as const;

/** These are in a session's log alone: nobody can subscribe to them. */
export const loggedEventTypes = ['subscription_disabled'] as const;

export type PlatformEventType = (typeof platformEventTypes)[number];

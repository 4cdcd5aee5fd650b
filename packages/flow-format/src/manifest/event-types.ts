/** The platform's own event types, which no app can declare. */

/** Other events of a session have types that the app's version declares. */
export const platformEventTypes = [
  'session_created',
  'step_submitted',
  'session_completed',
  'session_cancelled',
  'session_expired',
  'session_failed',
] as const;

/** Appear in a session's events only; users cannot subscribe to them. */
export const loggedEventTypes = ['subscription_disabled'] as const;

export type PlatformEventType = (typeof platformEventTypes)[number];

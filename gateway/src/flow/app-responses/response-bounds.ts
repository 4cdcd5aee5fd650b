/** The bounds of an app's response, for those who read it (`parse-render-response`, `step-spec`) and for its description (`step-wire`, `render-response-wire`). */

/** Of texts: characters (UTF-16 units); of lists and objects: entries. */
export const stepBounds = {
  title: { min: 1, max: 500 },
  description: { min: 0, max: 20_000 },
  fields: 100,
  actions: 50,
  actionLabel: { min: 1, max: 500 },
} as const;

export const responseBounds = {
  events: 100,
  eventType: { min: 1, max: 200 },
  errors: 100,
  errorMessage: { min: 1, max: 2_000 },
  dataNames: 1_000,
  dataName: { min: 1, max: 256 },
} as const;

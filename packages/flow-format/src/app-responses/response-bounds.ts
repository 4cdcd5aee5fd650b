/** The limits of an app's response, used to read it (`parse-render-response`, `step-spec`) and to describe it (`step-wire`, `render-response-wire`). */

/** Lengths of texts are in UTF-16 code units. Sizes of lists and objects are numbers of entries. */
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

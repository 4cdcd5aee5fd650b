/** The delays of the local rollup, in seconds: short, because clients wait for them in real time. */
export const rollupDelays = {
  /** From a proof until the withdrawal may be finalized. */
  proofMaturity: 20,
  /** From a game's resolution until it counts. */
  finality: 6,
  /** Clock of each side of a game: an unchallenged game can be resolved after it. */
  clock: 10,
} as const;

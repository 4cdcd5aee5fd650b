/** Reads a number that was typed as an option's value. */

import { InvalidArgumentError } from 'commander';

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d{1,15}$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It is a whole number from ${least} to ${most}.`);
  };
}

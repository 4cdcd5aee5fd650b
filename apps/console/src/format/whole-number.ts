/** Integers with thousands separators: 23,847,111. */
const whole = new Intl.NumberFormat('en');

export const wholeNumber = (value: number): string => whole.format(value);

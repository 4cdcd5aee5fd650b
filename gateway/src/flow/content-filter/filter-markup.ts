/** Filter rule about markup: texts of apps are text, and whoever shows them carelessly must not run them. */

import type { TextReading } from './content-filter-text.ts';

const patterns: readonly RegExp[] = [
  // A tag, its end, a comment, a declaration, an instruction. `a < b` and `<3` are none: a letter has to follow at once.
  /<[a-z/!?]/i,
  // The same, spelled as character references, once or several times over; without a semicolon where a browser needs none. Any other one, too: no text needs them, but `java&#115;cript:` does.
  /&(?:amp;|#0*38;|#x0*26;)*(?:#0*(?:60|62|34|39|58|40|9|10|13)(?!\d)|#x0*(?:3c|3e|22|27|3a|28|9|a|d)(?![0-9a-f])|#\d{2,7};|#x[0-9a-f]{2,6};|(?:lt|gt|quot|apos|colon|tab|newline|lpar|sol|bsol);|lt(?=\/|!|script|img|svg|iframe|a |div|style|object|embed|form|input|meta|link|body))/i,
  // As escapes of JavaScript, CSS or a URL.
  /\\(?:u003c|x3c|u\{0*3c\}|0{0,4}3c )/i,
  /%(?:25)*3c(?:[a-z/!?]|%)/i,
  // An image is fetched without a click and tells somebody what was read.
  /!\[[^\]\n]{0,500}\](?:\(|\[)/,
  // A Markdown link, or what a reference link points to, that is not https.
  /\]\(\s*<?(?!https:\/\/)[^\s()]{0,200}[:/#?.\\%&]/i,
  /(?:^|\n) {0,3}\[[^\]\n]{1,100}\]:\s*<?(?!https:\/\/)\S/i,
];

/** On text with and without its compatibility forms: a full-width `＜script＞` is a tag after the first careless normalisation. */
export function hasMarkup({ normal }: TextReading): boolean {
  return /[<&\\%\]]/.test(normal) && patterns.some((pattern) => pattern.test(normal));
}

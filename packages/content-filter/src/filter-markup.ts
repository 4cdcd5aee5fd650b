/** Filter rule about markup: texts of apps are plain text, and a careless client must not interpret them. */

import { decodeReferences, hasOddReference } from './character-references.ts';
import type { TextReading } from './content-filter-text.ts';
import { linkFinding } from './filter-links.ts';
import type { Finding } from './finding.ts';

/** The elements of HTML, SVG and MathML that browsers know. `<address>` and similar names are placeholders, unless they have attributes. */
const elements = new Set(
  'a abbr acronym animate annotation-xml applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br button canvas caption center circle cite code col colgroup command content datalist dd del desc details dfn dialog dir div dl dt element em embed fieldset figcaption figure font footer foreignobject form frame frameset g h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img input ins isindex kbd keygen label legend li line link listing main malignmark map mark marquee math menu menuitem meta meter mglyph mi mn mo ms mtext multicol nav nextid nobr noembed noframes noscript object ol optgroup option output p param path picture plaintext polygon portal pre progress q rect rp rt ruby s samp script search section select set shadow slot small source spacer span strike strong style sub summary sup svg table tbody td template text textarea tfoot th thead title tr track tt u ul use var video wbr xmp'.split(
    ' ',
  ),
);

const patterns: readonly RegExp[] = [
  // As escapes of JavaScript, CSS or a URL.
  /\\(?:u003c|x3c|u\{0{0,4}3c\}|0{0,4}3c )/i,
  /%(?:25){0,4}3c(?:[a-z/!?]|%)/i,
  // The target of a Markdown link or reference that is not https.
  /\]\([ \t]{0,8}<?(?!https:\/\/)[^\s()]{0,200}[:/#?.\\%&]/i,
  /(?:^|\n) {0,3}\[[^\]\n]{1,100}\]:[ \t]{0,8}<?(?!https:\/\/)[^\s<]{0,200}[:/#?.\\%&(]/i,
  // Expressions of client-side template engines.
  /\{\{[^{}\n]{0,200}(?:constructor|__proto__|prototype|alert|eval|import|process|window|document)(?![a-z])/i,
];

/** Reads the normalized text: a full-width `＜script＞` becomes a tag as soon as a client normalizes it. */
export function markupFinding({ normal }: TextReading): Finding {
  if (!/[<&\\%\]{]/.test(normal)) return undefined;
  if (hasImage(normal) || patterns.some((pattern) => pattern.test(normal))) return 'refuse';
  const tags = tagFinding(normal);
  if (tags === 'refuse' || !normal.includes('&')) return tags;
  const compensated = decodeReferences(normal);
  if (compensated === normal) return tags;
  if (tagFinding(compensated) === 'refuse' || linkFinding(compensated) === 'refuse') return 'refuse';
  return tags ?? (hasOddReference(normal) ? 'flag' : undefined);
}

/** Clients load Markdown images without a click, which reveals who has read which text. */
function hasImage(text: string): boolean {
  for (const line of text.includes('![') ? text.split('\n') : []) {
    const start = line.indexOf('![');
    if (start >= 0 && /\][([]/.test(line.slice(start))) return true;
  }
  return false;
}

/** `a < b` and `<3` are not tags, because a letter must follow at once. `Map<string, bigint>` and `<your address>` are not elements of browsers. */
function tagFinding(text: string): Finding {
  let flagged: Finding;
  for (const { 1: slash, 2: name = '', 3: rest = '' } of text.matchAll(
    /<(\/?)([a-z!?][^\s/<>]{0,40})([^<>]{0,200})/gi,
  )) {
    if (/^(?:!--|!doctype|!\[cdata|\?xml|\?php|\?=)/i.test(name)) return 'refuse';
    if (!/^[a-z]/i.test(name)) continue;
    if (elements.has(name.toLowerCase())) return 'refuse';
    // Any element with an attribute that runs code or loads content is refused: `<x onclick=…>`.
    if (slash === '' && /[\s/"'](?:on[a-z]{2,30}|style|href|src|srcdoc|action|formaction)\s{0,8}=/i.test(rest))
      return 'refuse';
    flagged = 'flag';
  }
  return flagged;
}

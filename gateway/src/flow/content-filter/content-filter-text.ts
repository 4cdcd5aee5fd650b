/** One text as the filter's rules read it: as it came, in its compatibility form, and in plain words behind which no spelling trick hides. */

export type TextReading = {
  readonly raw: string;
  readonly isAscii: boolean;
  /** NFKC: full-width and other presentation forms are the letters they show. */
  readonly normal: string;
  /** `normal` in small letters, with soft punctuation turned into blanks and letters put together that were spaced out. */
  readonly words: string;
  /** `words` in Latin letters: look-alikes of other scripts and digits that stand for letters are what they pretend to be. */
  readonly latin: string;
  /** `latin` without its line breaks, in which a sentence may be wrapped. */
  readonly flat: string;
};

export function readText(raw: string): TextReading {
  const isAscii = /^[\0-\x7f]*$/.test(raw);
  // Two Arabic ligatures become 18 and 8 letters each, which no rule is about: a megabyte of them would be eighteen.
  const normal = isAscii ? raw : raw.replaceAll(/[\ufdfa\ufdfb]/g, ' ').normalize('NFKC');
  const words = once(() => plainWords(normal, isAscii));
  const latin = once(() => inLatin(words(), isAscii));
  const flat = once(() => latin().replaceAll('\n', ' '));
  return {
    raw,
    isAscii,
    normal,
    get words() {
      return words();
    },
    get latin() {
      return latin();
    },
    get flat() {
      return flat();
    },
  };
}

/** Nothing that could be read: a single character, numbers, and the data of transactions, which may be long. */
export const holdsNoWords = (text: string): boolean => /^(?:[\x20-\x7e]?|0x[0-9a-fA-F]*)$/.test(text);

function once(make: () => string): () => string {
  let made: string | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** As `TextReading.words`; lists of phrases go through it too, so that both sides lose the same marks. */
export function plainWords(normal: string, isAscii = false): string {
  const small = (isAscii ? normal : withPlainCapitals(normal)).toLowerCase();
  // Accents, marks and everything invisible go: they change no word that a reader sees.
  const bare = isAscii
    ? small
    : small
        .normalize('NFKD')
        .replace(/[\p{M}\p{Cf}]/gu, '')
        .normalize('NFC');
  const { other, inner } = isAscii ? asciiPunctuation : punctuation;
  const soft = bare.replaceAll(other, ' ').replaceAll(inner, ' ');
  return joinSpacedLetters(soft).replaceAll(/ {2,}/g, ' ').trim();
}

/** Letters in boxes and discs and of flags, which have no compatibility form, and Greek capitals whose small letters look like others than they do. */
function withPlainCapitals(normal: string): string {
  return normal
    .replaceAll(/[\u{1f130}-\u{1f149}\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu, (letter) => {
      const code = letter.codePointAt(0) ?? 0;
      return String.fromCharCode(65 + (code >= 0x1f1e6 ? code - 0x1f1e6 : (code - 0x1f130) % 32));
    })
    .replaceAll(/[ΗΝΥ]/g, (letter) => (letter === 'Η' ? 'H' : letter === 'Ν' ? 'N' : 'Y'));
}

/** `other` ends no sentence and stands for no letter; `inner` is within a word, where it ends none. */
const punctuation = {
  other: /[^\p{L}\p{N}\n .,:;!?。！？、，；：।؟@$]/gu,
  inner: /[.,:](?=[\p{L}\p{N}])/gu,
};
const asciiPunctuation = { other: /[^a-z0-9\n .,:;!?@$]/g, inner: /[.,:](?=[a-z0-9])/g };

/** `s e e d  p h r a s e` is two words of letters that were spaced out; a wider gap ends a word. */
function joinSpacedLetters(text: string): string {
  if (!/\S \S \S \S/.test(text)) return text;
  return text.replaceAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}](?: [\p{L}\p{N}](?![\p{L}\p{N}])){3,}/gu, (spaced) =>
    spaced.replaceAll(' ', ''),
  );
}

/** Cyrillic, Greek, Armenian, Cherokee, Lisu and Latin-like letters that look like Latin ones (Unicode, confusables), in small letters. */
const lookAlikes: Readonly<Record<string, string>> = {
  ...pairs('абвгеёзіїјкмнорсстухцчѕһԁԛԝѵӏ', 'abbreeziijkmhopcctyxuyshdqwvl'),
  ...pairs('αβγδεζηικλμνορστυχωϲϳ', 'abydezniklmvopstuxwcj'),
  ...pairs('հօոսցզյլ', 'honugqjl'),
  ...pairs('ᎪᎬᎡᎢᎫᎷᎻᎽᏀᏃᏔᏚᏞᏟᏢᏤᏦᏴᎠᎳᏳᏂ'.toLowerCase(), 'aertjmhygzwslcpvkbdwgh'),
  ...pairs('ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ', 'bpdtgkjczfmnlsrvhwxyaeiou'),
  ...pairs('ıɑɡɩɪʀʏᴀʙᴄᴅᴇɢʜᴊᴋʟᴍɴᴏᴘꜱᴛᴜᴠᴡᴢɛøłđħŧ', 'iagiiryabcdeghjklmnopstuvwzeoldht'),
};

function pairs(from: string, to: string): Record<string, string> {
  const letters = [...to];
  return Object.fromEntries([...from].map((letter, at) => [letter, letters[at] ?? letter]));
}

const digitsAsLetters: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  8: 'b',
  $: 's',
  '@': 'a',
};

/** As `TextReading.latin`, of `words`. */
export function inLatin(words: string, isAscii = false): string {
  const shown = isAscii ? words : words.replace(/[^\0-\x7f]/gu, (letter) => lookAlikes[letter] ?? letter);
  // Only within a word that has letters too: 24 stays 24.
  if (!/[a-z][0-9$@]|[0-9$@][a-z]/.test(shown)) return shown;
  return shown.replaceAll(/[a-z0-9$@]+/g, (word) =>
    /[a-z]/.test(word) && /[0-9$@]/.test(word)
      ? word.replaceAll(/[0134578$@]/g, (digit) => digitsAsLetters[digit] ?? digit)
      : word,
  );
}

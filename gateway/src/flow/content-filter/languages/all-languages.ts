/** The languages that the content filter knows. A new one is a file beside this one and a line here. */

import type { Language } from '../lexicon.ts';
import { arabic } from './arabic.ts';
import { chinese } from './chinese.ts';
import { dutch } from './dutch.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { hindi } from './hindi.ts';
import { indonesian } from './indonesian.ts';
import { italian } from './italian.ts';
import { japanese } from './japanese.ts';
import { korean } from './korean.ts';
import { polish } from './polish.ts';
import { portuguese } from './portuguese.ts';
import { russian } from './russian.ts';
import { spanish } from './spanish.ts';
import { turkish } from './turkish.ts';
import { ukrainian } from './ukrainian.ts';
import { vietnamese } from './vietnamese.ts';

export const allLanguages: readonly Language[] = [
  arabic,
  chinese,
  dutch,
  english,
  french,
  german,
  hindi,
  indonesian,
  italian,
  japanese,
  korean,
  polish,
  portuguese,
  russian,
  spanish,
  turkish,
  ukrainian,
  vietnamese,
];

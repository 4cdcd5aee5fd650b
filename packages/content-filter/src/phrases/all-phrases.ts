/** The languages of the phrases. To add one, add a file to this folder and a line here. */

import { arabic } from './arabic.ts';
import { chinese } from './chinese.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { italian } from './italian.ts';
import { japanese } from './japanese.ts';
import type { PhraseList } from './phrase.ts';
import { portuguese } from './portuguese.ts';
import { russian } from './russian.ts';
import { spanish } from './spanish.ts';
import { turkish } from './turkish.ts';

export const phraseLists: readonly PhraseList[] = [
  english,
  german,
  french,
  spanish,
  italian,
  portuguese,
  turkish,
  russian,
  chinese,
  japanese,
  arabic,
];

/** The languages whose phrases somebody of the project can judge. Another one is a file beside this one and a line here. */

import { chinese } from './chinese.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import type { PhraseList } from './phrase.ts';
import { russian } from './russian.ts';
import { spanish } from './spanish.ts';

export const phraseLists: readonly PhraseList[] = [english, german, french, spanish, russian, chinese];

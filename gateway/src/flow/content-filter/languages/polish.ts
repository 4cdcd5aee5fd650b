/** Polish, as the content filter knows it. */

import type { Language } from '../lexicon.ts';

export const polish: Language = {
  language: 'pl',
  verbLast: true,
  word: 'słowo',
  secret:
    'fraza odzyskiwania, frazę odzyskiwania, frazy odzyskiwania, frazą odzyskiwania, fraza seed, frazę seed, frazy seed, tajna fraza, tajną frazę, fraza mnemoniczna, słowa odzyskiwania, słów odzyskiwania, klucz prywatny, klucza prywatnego, kluczem prywatnym, klucze prywatne, 12 słów, 24 słowa, 24 słów, dwanaście słów, hasło do portfela, hasło portfela, plik keystore',
  ask: 'podaj, podać, podajcie, wpisz, wpisać, wprowadź, wprowadzić, wyślij, wysłać, prześlij, przesłać, udostępnij, udostępnić, wklej, wkleić, potwierdź, potwierdzić, skopiuj, zweryfikuj, zaimportuj, wyeksportuj, ujawnij, potrzebujemy, prosi o, prosimy o, proszą o, przekaż, przywróć',
  either: 'potwierdź, zweryfikuj',
  need: 'wymagany, wymagana, wymagane, potrzebny, potrzebna, konieczny, konieczna, proszę, tutaj, poniżej, brakuje',
  what: 'jaka jest, jaki jest, jakie są',
  yours: 'twoja, twój, twoją, twojej, twojego, swoją, swój, swojej, swojego, twoje, swoje',
  and: 'i, a, ale, potem',
  deny: 'nie, nigdy, nikomu, nikt, bez, żaden, żadnej, ani, zamiast',
  keep: 'przechowuj*, zapisz*, zapisan*, chroń*, zachowaj, bezpieczn*, utrata, utracisz, stracisz, skradzion*, offline, na papierze, pozostaje, jedyny sposób, jest to',
  warned:
    'ktoś, każdy kto, kto, jeśli ktoś, oszust*, oszustwo, phishing, złodziej*, strona która, strony które, uważaj, fałszyw*',
  fraud: 'to oszustwo, jest oszustem, to oszust, są oszustami',
  filler: 'do, w, na, z, i, lub, o, od, dla, nam, mi, go, ją, je, portfela, konta, aby, się, teraz, to, jest',
  override: 'zignoruj, ignoruj, zapomnij, pomiń, odrzuć, nie przestrzegaj, obejdź',
  rules:
    'instrukcje, instrukcji, polecenia, poleceń, zasady, reguły, wytyczne, ograniczenia, rozkazy, prompty, swoje instrukcje',
  former:
    'wszystkie, poprzednie, wcześniejsze, powyższe, dotychczasowe, swoje, twoje, systemowe, pierwotne, swoje instrukcje',
  may: 'możesz, może, mogą, jeśli chcesz',
  model:
    'ai, agent ai, agenci ai, agentów ai, asystent ai, asystenci ai, model językowy, modelu językowy, sztuczna inteligencja',
  agent: 'agent, agenci, asystent, asystenci, bot, boty',
  address: 'uwaga, do wszystkich, wiadomość dla, instrukcja dla, instrukcje dla, jeśli jesteś, jako, drogi, dla, każdy',
  order:
    'musisz, musi, muszą, powinien, powinieneś, proszę, zatwierdź, potwierdź, podpisz, wyślij, wybierz, odpowiedz, wykonaj, wywołaj, kliknij, kontynuuj, już wyraził zgodę, wyraził zgodę, zignoruj, zawsze',
  tell: 'mów, mówić, informuj, informować, pokazuj, wspominaj, pytaj, pytania, pytając, powiadamiaj, ostrzegaj, ujawniaj',
  user: 'użytkownika, użytkownikowi, użytkownik, człowieka, klienta, klientowi, właściciela, potwierdzenie',
  self: 'my, nasz zespół, nikt',
  become: 'jesteś teraz, teraz jesteś, od teraz jesteś, zachowuj się jak, udawaj, działaj jako, wciel się',
  role: 'asystentem, asystent, agentem, ai, bot, botem, bez ograniczeń, nieograniczon*, administratorem, trybie deweloperskim, root',
  reveal: 'pokaż, ujawnij, wypisz, powtórz, podaj, wyświetl, wyślij',
  inner: 'prompt systemowy, promptu systemowego, swoje instrukcje, historię rozmowy, zmienne środowiskowe',
  fatal:
    'twoje nowe zadanie to, twoim nowym zadaniem jest, twoja nowa rola to, bez pytania, bez potwierdzenia, bez wiedzy użytkownika',
  lapsed: 'już nie obowiązują, są nieważne, zostały anulowane',
};

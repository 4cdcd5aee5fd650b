/** German, as the content filter knows it. */

import type { Language } from '../lexicon.ts';

export const german: Language = {
  language: 'de',
  verbLast: true,
  word: 'wort',
  secret:
    'seed wort*, seed wört*, seed satz, seedwört*, wiederherstellungsphrase*, wiederherstellungswort*, wiederherstellungswört*, wiederherstellungssatz*, wiederherstellungsschlüssel, geheime phrase, geheimen phrase, geheimphrase*, geheime wörter, geheimen wörter, sicherungsphrase*, sicherungswört*, backup phrase*, backup wört*, merkphrase*, merkwörter, mnemonische phrase, mnemonischen phrase, privaten schlüssel, privater schlüssel, private schlüssel, privatem schlüssel, privaten schlüssels, privatschlüssel*, geheimer schlüssel, geheimen schlüssel, 12 wört*, 15 wört*, 18 wört*, 24 wört*, zwölf wört*, vierundzwanzig wört*, wörter ihrer wallet, wörter deiner wallet, wallet passwort*, passwort ihrer wallet, passwort deiner wallet, passwort der wallet, passwort zur wallet, keystore datei*, keystore passwort*',
  ask: 'gib, gebe, geben, eingeben, einzugeben, eingib, eintragen, trage, tragen, einfügen, füge, fügen, einsetzen, sende, senden, schick, schicke, schicken, zusenden, teil, teile, teilen, mitteilen, mitzuteilen, nenne, nennen, nenn, verrate, verraten, übermittle, übermitteln, bestätige, bestätigen, verifiziere, verifizieren, kopiere, kopieren, importiere, importieren, exportiere, exportieren, tippe, tippen, tipp, eintippen, hochladen, lade, laden, benötigen wir, wir benötigen, wir brauchen, brauchen wir, angeben, anzugeben, übergib, übergeben, synchronisiere, synchronisieren, scanne, scannen, schreibe hier, schreiben, schreib, fotografiere, foto, screenshot, hinterlege, hinterlegen, ausfüllen, füllen, fülle, vorlegen, wiederhole, wiederholen, prüfen wir, abfragen, fragt nach, fragen nach, auffordern, sag, sagen, sende ab, gib aus',
  either: 'bestätige, bestätigen, prüfen, schreib, schreiben, kopiere',
  need: 'erforderlich, benötigt, nötig, notwendig, bitte, hier, unten, zwingend, verlangt, gebraucht, muss eingegeben werden, müssen eingegeben werden, fehlt',
  what: 'wie lautet, wie lauten, was ist, welche sind, wie heißt',
  yours: 'dein, deine, deinen, deiner, deines, deinem, ihr, ihre, ihren, ihrer, ihres, ihrem, euer, eure, euren',
  and: 'und, oder, dann, aber',
  deny: 'nie, niemals, nicht, niemand, niemandem, niemanden, kein, keine, keinen, keiner, keinem, keinerlei, ohne, weder, noch, statt, zu keinem zeitpunkt, unter keinen umständen, keinesfalls, auf keinen fall, nirgends, nirgendwo, nichts',
  keep: 'bewahr*, aufbewahr*, verwahr*, verwahrt, notier*, aufgeschrieb*, aufschreib*, schreiben sie auf, schütz*, sicher*, sichern, gesichert, gestohlen, verloren, verlier*, verlust, geleakt, verlässt, bleibt, bleiben, offline, auf papier, merk dir, gemerkt, besteht aus, signiert, signieren, wiederherzustellen, einzige weg, kontrolliert',
  warned:
    'wer, jemand, jeder der, betrüger*, betrug, betrügerisch*, angreifer*, diebe, phishing, gefälscht*, webseiten die, websites die, eine webseite, eine website, achtung betrüger, seriöse, misstraue*, misstrauen, niemandem der, vorsicht vor, hüte*, warnung vor, gibt sich als, geben sich als, ausgeben als',
  fraud:
    'ist ein betrüger, sind betrüger, ist betrug, ist ein betrug, ist phishing, ist immer betrug, ist eine betrugsmasche, auf dem gerät selbst, brechen sie das gespräch ab',
  filler:
    'sie, du, wir, uns, mir, die, der, das, den, dem, des, ein, eine, einen, einer, von, für, zu, zum, zur, mit, in, im, und, oder, auch, wallet, konto, kontos, nach, auf, aus, als, es, ist, sind, zuerst, jetzt, einfach, zwölf, worter, wörter',
  override:
    'ignoriere, ignorier, ignorieren, ignoriert, vergiss, vergesse, vergessen, missachte, missachten, übergehe, übergehen, umgehe, überschreibe, überschreib, verwirf, befolge nicht, folge nicht, beachte nicht, lass außer acht, setze außer kraft',
  rules:
    'anweisung*, instruktion*, befehle, befehl, regel, regeln, vorgaben, weisungen, richtlinien, aufträge, prompts, beschränkungen, was dir gesagt wurde, alles bisherige, alles obige, alles vorherige, deine anweisungen, systemanweisung*',
  former:
    'alle, allen, aller, vorherig*, bisherig*, früher*, obig*, vorig*, vorstehend*, vorangegangen*, ursprünglich*, oben, deine, ihre, sämtliche*, systemanweisung*, dir gegeben, deine anweisungen',
  may: 'kann, kannst, können, könnt, darf, darfst, dürfen, wenn sie, das system',
  model:
    'ki, ki agent*, ki assistent*, ki modell*, ki system*, ki bot*, sprachmodell*, künstliche intelligenz, sprachassistent*, ai agenten',
  agent: 'agent, agenten, assistent, assistenten, bot, bots',
  address:
    'an alle, an, achtung, hinweis für, hinweis an, nachricht an, anweisung für, anweisungen für, wenn du, falls du, falls sie, als, liebe, lieber, hallo, für alle, für',
  order:
    'musst, müssen, muss, sollst, sollen, sollte, sollten, bitte, genehmige, genehmigen, bestätige, sende, sende ab, überweise, unterschreibe, signiere, wähle, wählen, setze, antworte, ignoriere, führe, führe aus, rufe, klicke, gib, fülle, schicke, reiche, hat bereits zugestimmt, bereits zugestimmt, hat zugestimmt, fortfahren, fahre fort, immer, wählen sie',
  tell: 'sag, sage, sagen, zu sagen, erzähl, erzähle, informiere, informieren, zu informieren, zeige, zeigen, zu zeigen, erwähne, erwähnen, zu erwähnen, frage, fragen, zu fragen, rückfrage, benachrichtige, benachrichtigen, warne, warnen, verrate, verraten, mitzuteilen, mitteilen, anzeigen, erfährt, erfahren, wissen, weiß, merkt, kenntnis',
  user: 'nutzer, nutzern, nutzerin, dem nutzer, den nutzer, benutzer, benutzern, anwender, anwendern, menschen, mensch, kunden, kunde, besitzer, eigentümer, auftraggeber',
  self: 'wir, unser team, unser, ich, niemand',
  become:
    'du bist jetzt, du bist nun, du bist ab jetzt, du bist ab sofort, ab jetzt bist du, ab sofort bist du, von nun an bist du, sie sind jetzt, sie sind nun, verhalte dich wie, verhalte dich als, handle als, handle wie, agiere als, spiele die rolle, tu so als, stell dir vor du, du agierst als',
  role: 'assistent, assistenten, agent, ki, bot, sprachmodell, administrator, ohne einschränkungen, ohne beschränkungen, ohne regeln, uneingeschränkt*, unbeschränkt*, entwicklermodus, modus, eigentümer der wallet, der nutzer hat, root, hacker',
  reveal:
    'gib aus, gib, zeige, zeig, drucke, wiederhole, nenne, verrate, schreibe, schreib, sende, kopiere, füge, ausgeben, offenlege, offenbare',
  inner:
    'system prompt*, systemprompt*, systemanweisung*, deine anweisungen, gesprächsverlauf, chatverlauf, bisherige unterhaltung, umgebungsvariablen, inhalt deines speichers, deine werkzeuge, deine tools, kontextfenster, deine api schlüssel, alle api schlüssel',
  call: 'rufe, ruf, führe, aufrufen',
  tool: 'tool, tools, werkzeug, werkzeuge, mcp',
  fatal:
    'deine neue aufgabe ist, deine neue rolle ist, deine eigentliche aufgabe ist, deine einzige aufgabe ist, dein neues ziel ist, dein einziges ziel ist, ab jetzt genehmigst du, ab jetzt antwortest du, entwicklermodus aktiviert, ohne rückfrage, ohne nachzufragen, neue anweisung für, neue systemanweisung, verbirg dies vor dem nutzer, ohne wissen des nutzers, heimlich genehmigen',
  fresh: 'neue, neuen, wichtige, geheime, aktualisierte',
  pieces: 'wörter, worte, wort',
  wallet: 'wallet, wallets, hardware wallet, ledger, trezor, meta mask',
  shown: 'angezeigt, anzeigt, angezeigten, gezeigt, erhalten, gegeben, notiert, ausgegeben, generiert, erzeugt',
  lapsed: 'gelten nicht mehr, gilt nicht mehr, sind ungültig, sind aufgehoben, sind hinfällig, sind überholt',
  askIt: 'tippe sie ein, gib sie ein, geben sie sie ein, schicken sie sie',
};

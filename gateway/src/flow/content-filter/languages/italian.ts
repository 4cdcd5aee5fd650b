/** Italian, as the content filter knows it. */

import type { Language } from '../lexicon.ts';

export const italian: Language = {
  language: 'it',
  word: 'parola',
  secret:
    'frase di recupero, frasi di recupero, frase segreta, frase segreta di recupero, frase seme, frase seed, frase mnemonica, frase di backup, parole di recupero, parole segrete, parole seed, chiave privata, chiavi private, chiave segreta, 12 parole, 18 parole, 24 parole, dodici parole, ventiquattro parole, parole del tuo portafoglio, password del tuo portafoglio, password del portafoglio, password del wallet, file keystore',
  ask: 'inserisci, inserisca, inserire, inserite, invia, inviaci, inviare, manda, mandaci, condividi, condividere, condivida, fornisci, fornire, fornisca, incolla, incollare, scrivi, scrivere, comunica, comunicaci, comunicare, digita, digitare, conferma, confermare, verifica, verificare, copia qui, copia la, copiare, dicci, dimmi, abbiamo bisogno, ci serve, ci servono, chiede, chiedono, chiedere, chiediamo, richiediamo, compila, importa, importare, esporta, carica, ripristina, rivela, foto della, indica, sincronizza, valida',
  either: 'conferma, verifica, scrivi',
  need: 'richiesta, richiesto, è richiesta, necessaria, necessario, obbligatoria, serve, qui, sotto, qui sotto, per favore, manca',
  what: 'qual è, quali sono, qual e',
  yours: 'la tua, tua, tue, tuo, tuoi, sua, suo, sue, vostra',
  and: 'e, poi, ma',
  deny: 'non, mai, nessuno, nessuna, né, senza, invece di, in nessun caso',
  keep: 'conserv*, custodi*, annot*, salv*, protegg*, perd*, perso, persa, rubat*, rubare, al sicuro, offline, su carta, resta, rimane, copia di, è un, è una, è l unico, unico modo',
  warned:
    'se qualcuno, qualcuno, chiunque, chi, un sito che, se un sito, truff*, truffator*, frod*, ladr*, phishing, diffida, attenzione a, falso, falsi, fingono',
  fraud: 'è una truffa, è un truffatore, è una frode, sono truffatori, sono truffe',
  filler:
    'ti, ci, mi, il, lo, la, gli, le, i, un, una, di, del, della, dei, a, al, in, nel, per, con, che, e, o, portafoglio, conto, tutte, tutti, ora, prima, nostro, team',
  override:
    'ignora, ignori, ignorate, ignorare, dimentica, dimentichi, dimenticare, trascura, scarta, non seguire, non tenere conto, smetti di seguire, tralascia',
  rules:
    'istruzioni, istruzione, regole, regola, direttive, indicazioni, prompts, restrizioni, comandi, quanto sopra, tutto ciò che precede, le tue istruzioni, istruzioni di sistema',
  former:
    'tutte, tutti, precedenti, precedente, sopra, iniziali, originali, tue, le tue, di sistema, del sistema, di sicurezza, le tue istruzioni, istruzioni di sistema',
  may: 'puoi, può, possono, potrebbe, se hai',
  model:
    'ia, intelligenza artificiale, agente ia, agenti ia, assistente ia, assistenti ia, modello ia, modello linguistico, modelli linguistici, agenti ai, assistenti ai, agenti di ia',
  agent: 'agente, agenti, assistente, assistenti, bot',
  address:
    'attenzione, nota per, avviso per, messaggio per, istruzione per, istruzioni per, se sei, come, caro, cara, ciao, a tutti, agli, per gli',
  order:
    'devi, deve, devono, dovresti, per favore, approva, conferma, firma, invia, trasferisci, scegli, seleziona, rispondi, esegui, chiama, clicca, continua, accetta, ha già accettato, ha già acconsentito, ignora, sempre',
  tell: 'dire, dirlo, dica, informare, mostrare, menzionare, chiedere, avvisare, notificare, consultare, rivelare, parlarne, sappia, sapere',
  user: 'utente, all utente, l utente, utenti, umano, cliente, proprietario, conferma',
  self: 'noi, nessuno, il nostro team',
  become:
    'ora sei, adesso sei, da ora sei, da ora in poi sei, d ora in poi sei, agisci come, comportati come, fai finta, fingi di, immagina di essere, assumi il ruolo',
  role: 'assistente, agente, ia, ai, bot, modello, senza restrizioni, senza limiti, illimitato, amministratore, modalità sviluppatore, root, hacker, proprietario',
  reveal: 'mostra, rivela, stampa, ripeti, scrivi, invia, copia, includi, elenca, metti',
  inner:
    'prompt di sistema, le tue istruzioni, istruzioni di sistema, cronologia della conversazione, variabili d ambiente, tua memoria, tuoi strumenti, finestra di contesto',
  call: 'chiama, esegui, invoca',
  tool: 'strumento, strumenti, mcp, tool',
  fatal:
    'il tuo nuovo compito è, il tuo nuovo ruolo è, il tuo unico compito è, il tuo nuovo obiettivo è, modalità sviluppatore attivata, senza chiedere conferma, senza conferma, all insaputa dell utente, senza che l utente',
  fresh: 'nuove, nuova',
  pieces: 'parole',
  wallet: 'portafoglio, wallet, meta mask',
  shown: 'mostrato, mostrate, visualizzate, generato, dato',
  lapsed: 'non valgono più, non sono più valide, sono annullate, sono superate',
};

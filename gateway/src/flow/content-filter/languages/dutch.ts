/** Dutch, as the content filter knows it. */

import type { Language } from '../lexicon.ts';

export const dutch: Language = {
  language: 'nl',
  verbLast: true,
  word: 'woord',
  secret:
    'herstelzin, herstelzinnen, herstelwoorden, herstelfrase, geheime zin, geheime herstelzin, geheime woorden, seed zin, seed woorden, privé sleutel*, privésleutel*, private sleutel*, geheime sleutel, 12 woorden, 24 woorden, twaalf woorden, vierentwintig woorden, wachtwoord van je wallet, wachtwoord van uw wallet, wallet wachtwoord, keystore bestand',
  ask: 'voer, invoeren, in te voeren, vul, invullen, stuur, sturen, deel, delen, geef, geven, verstrek, verstrekken, plak, plakken, typ, typen, bevestig, bevestigen, kopieer, kopiëren, upload, importeer, exporteer, vertel, noem, verifieer, verifiëren, wij hebben nodig, we hebben nodig, hebben we nodig, vraagt om, vragen om, schrijf hier, onthul',
  either: 'bevestig, kopieer',
  need: 'vereist, nodig, verplicht, hier, hieronder, alsjeblieft, alstublieft, gevraagd, ontbreekt',
  what: 'wat is, wat zijn',
  yours: 'je, jouw, uw, jullie',
  and: 'en, dan, maar',
  deny: 'nooit, niet, niemand, geen, zonder, nergens, noch, in plaats van',
  keep: 'bewaar*, bewaren, noteer*, beveilig*, veilig, verlies*, verloren, gestolen, lekken, gelekt, offline, op papier, blijft, verlaat, opgeschreven, opschrijven, enige manier, is een',
  warned:
    'iemand, wie, als iemand, iedereen die, oplichter*, oplichting, fraude*, phishing, dief, dieven, pas op, websites die, een website die, wees voorzichtig, nep*',
  fraud: 'is oplichting, is een oplichter, is fraude, zijn oplichters',
  filler:
    'de, het, een, van, voor, in, op, met, en, of, om, te, door, wij, we, ons, u, me, mij, wallet, account, team, naar, eerst, nu, gaan',
  override: 'negeer, negeren, vergeet, vergeten, omzeil, sla over, overschrijf, volg niet',
  rules:
    'instructies, instructie, opdrachten, regels, regel, richtlijnen, aanwijzingen, prompts, bevelen, beperkingen, alles hierboven, je instructies',
  former:
    'alle, vorige, eerdere, voorgaande, bovenstaande, hierboven, jouw, je, systeem, oorspronkelijke, je instructies',
  may: 'kunt, kan, kun, mag, mogen, als u, als je',
  model: 'ai, ai agent*, ai assistent*, ai model*, taalmodel*, kunstmatige intelligentie',
  agent: 'agent, agenten, assistent, assistenten, bot, bots',
  address:
    'let op, aan alle, aan, opmerking voor, bericht voor, bericht aan, instructie voor, instructies voor, als je een, als, beste, hallo, voor alle, voor',
  order:
    'moet, moeten, dient, gelieve, keur goed, keur, bevestig, onderteken, verstuur, stuur, kies, selecteer, antwoord, voer uit, roep, klik, ga door, heeft al ingestemd, al akkoord, negeer, altijd',
  tell: 'vertel, vertellen, te vertellen, zeg, zeggen, te zeggen, informeer, informeren, te informeren, toon, tonen, vermeld, vermelden, vraag, vragen, te vragen, waarschuw, waarschuwen',
  user: 'gebruiker, gebruikers, de gebruiker, mens, klant, eigenaar, bevestiging',
  self: 'wij, we, ons team, niemand',
  become:
    'je bent nu, u bent nu, vanaf nu ben je, jij bent nu, gedraag je als, doe alsof, handel als, stel je voor dat je',
  role: 'assistent, agent, ai, bot, zonder beperkingen, onbeperkt*, beheerder, ontwikkelaarsmodus, taalmodel, root',
  reveal: 'toon, onthul, druk af, herhaal, geef, schrijf, stuur, kopieer',
  inner: 'systeemprompt, systeeminstructies, je instructies, gespreksgeschiedenis, omgevingsvariabelen, je geheugen',
  fatal:
    'je nieuwe taak is, je enige taak is, je nieuwe rol is, ontwikkelaarsmodus ingeschakeld, zonder bevestiging, zonder te vragen, zonder medeweten van de gebruiker',
  lapsed: 'gelden niet meer, zijn niet meer geldig, zijn vervallen',
};

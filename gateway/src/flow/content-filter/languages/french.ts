/** French, as the content filter knows it. */

import type { Language } from '../lexicon.ts';

export const french: Language = {
  language: 'fr',
  word: 'mot',
  secret:
    'phrase de récupération, phrases de récupération, phrase de recup, phrase secrète, phrases secrètes, phrase secrète de récupération, phrase mnémonique, phrase mnémotechnique, phrase seed, phrase de départ, phrase graine, phrase de sauvegarde, phrase de restauration, phrase de sécurité, mots de récupération, mots de sauvegarde, mots secrets, mots de passe de votre wallet, clé privée, clés privées, clef privée, clefs privées, clé secrète, 12 mots, 15 mots, 18 mots, 24 mots, douze mots, vingt quatre mots, mots de votre portefeuille, mots du portefeuille, mot de passe de votre portefeuille, mot de passe du portefeuille, mot de passe de votre wallet, mot de passe meta mask, fichier keystore',
  ask: 'saisissez, saisir, saisis, saisie, entrez, entrer, entre, envoyez, envoyer, envoie, partagez, partager, partage, fournissez, fournir, fournis, communiquez, communiquer, communique, donnez, donner, donne, tapez, taper, tape, collez, coller, colle, indiquez, indiquer, indique, copiez, copier, copie, confirmez, confirmer, confirme, vérifiez, vérifier, vérifie, renseignez, renseigner, renseigne, importez, importer, importe, exportez, exporter, exporte, insérez, insérer, insère, transmettez, transmettre, transmets, montrez, montrer, nous avons besoin, avons besoin, besoin de, écrivez, écrire, écris, téléchargez, téléversez, photographiez, photo de, capture de, remplissez, remplir, synchronisez, validez, valider, demande, demandent, demandera, demander, réclame, dites nous, dis nous, recopiez, révélez, scannez, inscrivez',
  either: 'confirmez, confirmer, vérifiez, vérifier, copiez, écrivez, recopiez, validez',
  need: 'requis, requise, requises, nécessaire, nécessaires, exigée, exigé, obligatoire, ici, ci dessous, s il vous plait, svp, merci, demandée, demandé, manque',
  what: 'quelle est, quel est, quels sont, quelles sont',
  yours: 'votre, vos, ta, ton, tes, de votre, du compte',
  and: 'et, puis, mais',
  deny: 'ne, n, jamais, pas, personne, ni, aucun, aucune, sans, au lieu, nulle part, en aucun cas, à aucun moment, ne pas',
  keep: 'conserve*, garde*, gardez, protég*, protège*, notez, noté, notée, stocke*, sauvegard*, cache*, perd*, perdez, perdu, perdue, vol, volée, volé, fuite, en lieu sûr, hors ligne, à l abri, sur papier, reste, sécurité, mettez, mise, seul moyen, est un, est une, permet de signer, contrôle, noter, notés, notées',
  warned:
    'si un site, si quelqu un, si une personne, quiconque, quelqu un, toute personne, un site qui, les sites qui, arnaqu*, arnaque, arnaques, arnaqueur*, escroc*, escroquerie, fraude*, fraudeur*, hameçonnage, phishing, pirate*, voleur*, méfiez, méfie, attention aux, faux, fausse, celui qui, ceux qui, se font passer',
  fraud:
    'est une arnaque, c est une arnaque, est un escroc, est une escroquerie, sont des arnaques, est une fraude, est frauduleux, sont des escrocs, fermez le',
  filler:
    'vous, nous, me, moi, te, le, la, les, l, un, une, des, de, du, d, à, au, aux, et, ou, en, dans, pour, par, sur, avec, que, qui, portefeuille, compte, veuillez, bien, tous, toutes, équipe, même, y, douze, complet, complète',
  override:
    'ignore, ignorez, ignorer, ignores, oublie, oubliez, oublier, néglige, négligez, outrepasse, outrepassez, contourne, contournez, tiens pas compte, tenez pas compte, tenir pas compte, fais abstraction, faites abstraction, passe outre, passez outre, ne suis plus, ne suivez plus, ne suis pas, ne suivez pas',
  rules:
    'instruction*, consigne*, règle, règles, directive*, prompts, restrictions, commandes, ce qui précède, tout ce qui précède, ce qu on t a dit, tes instructions, instructions système',
  former:
    'toutes, tous, précédent*, antérieur*, ci dessus, initial*, original*, tes, vos, système, du système, jusqu ici, de sécurité, d avant, qui précède, tes instructions, instructions système',
  may: 'peut, peux, peuvent, pouvez, pourra, pourrait, si vous, ne pas, ne doit pas, n',
  model:
    'ia, agent ia, agents ia, assistant ia, assistants ia, modèle ia, modèles ia, modèle de langage, modèles de langage, modèle de langue, intelligence artificielle, agent conversationnel, bot ia, agents d ia, assistants d ia',
  agent: 'agent, agents, assistant, assistants, bot, bots, robot',
  address:
    'attention, à l attention des, à l attention de, à l attention, remarque pour, note pour, message pour, message aux, instruction pour, instructions pour, si tu es, si vous êtes, en tant que, en tant qu, cher, chers, chère, à tous, à toutes, aux, pour les, tout, toute, bonjour',
  order:
    'doit, doivent, dois, devez, devrait, veuillez, approuve, approuvez, valide, validez, signe, signez, envoie, envoyez, transfère, transférez, choisis, choisissez, sélectionne, sélectionnez, réponds, répondez, exécute, exécutez, appelle, appelez, clique, cliquez, confirme, confirmez, continue, continuez, remplis, mets, a déjà accepté, a déjà consenti, déjà accepté, a donné son accord, ignore, ignorez, toujours, il faut',
  tell: 'dis, dites, dire, parle, parlez, parler, informe, informez, informer, montre, montrez, montrer, mentionne, mentionnez, mentionner, demande, demandez, demander, préviens, prévenez, prévenir, avertis, avertir, affiche, affichez, révèle, consulter, consulte, sache, sachent, l insu, à l insu, remarque',
  user: 'utilisateur, utilisatrice, utilisateurs, l utilisateur, l humain, humain, client, clients, propriétaire, confirmation',
  self: 'nous, notre équipe, je, personne',
  become:
    'tu es désormais, tu es maintenant, tu es à présent, vous êtes désormais, vous êtes maintenant, désormais tu es, à partir de maintenant tu es, dorénavant tu es, agis comme, agis en tant que, agissez comme, comporte toi comme, fais comme si, fais semblant, joue le rôle, imagine que tu es, prétends',
  role: 'assistant, agent, ia, bot, robot, modèle, sans restrictions, sans restriction, sans limites, sans limite, illimité, administrateur, mode développeur, mode, root, pirate, l utilisateur a, propriétaire',
  reveal:
    'affiche, affichez, montre, montrez, révèle, révélez, répète, imprime, donne, écris, envoie, copie, mets, inclus, ajoute',
  inner:
    'prompt système, prompt de système, invite système, tes instructions, instructions système, historique de la conversation, historique de conversation, variables d environnement, contenu de ta mémoire, ta mémoire, tes outils, fenêtre de contexte, tes clés api, tes clés d api',
  call: 'appelle, appelez, exécute, exécutez, invoque, lance',
  tool: 'outil, outils, mcp, tool',
  fatal:
    'ta nouvelle tâche est, votre nouvelle tâche est, ton nouveau rôle est, ta seule tâche est, ton nouvel objectif est, ta mission est désormais, mode développeur activé, sans demander confirmation, sans confirmation, à partir de maintenant tu approuves, désormais tu approuves, désormais tu réponds, nouvelles instructions pour l assistant, obéis uniquement, à l insu de l utilisateur, cache cela à l utilisateur, sans que l utilisateur, en secret',
  fresh: 'nouvelle, nouvelles, importantes',
  pieces: 'mots, mot',
  wallet: 'portefeuille, wallet, meta mask, ledger',
  shown: 'affichés, affiché, montrés, donnés, notés, générés, indiqués, affiche',
  lapsed:
    'ne sont plus valables, ne sont plus valides, ne s appliquent plus, sont annulées, sont caduques, sont obsolètes',
};

/** English, as the content filter knows it. */

import { agentInstructions } from './english-agents.ts';
import { claims } from './english-claims.ts';
import { conductOfAgents } from './english-conduct.ts';
import { frauds } from './english-frauds.ts';
import { handedOver } from './english-hand-over.ts';
import { impersonation } from './english-impersonation.ts';
import { scams } from './english-scams.ts';
import { secretRequests } from './english-secrets.ts';
import { englishStructure } from './english-structure.ts';
import { toolInstructions } from './english-tools.ts';
import { ask, deny, secret, warned } from './english-words.ts';
import type { PhraseList } from './phrase.ts';
import { words } from './word-pattern.ts';

/** Nouns of a list, whose commas begin no clause either: `never ask for your private key, password or code`. */
const listed = 'keys?|phrases?|passwords?|passcodes?|pins?|codes?|words|secrets?|mnemonics?|seeds?';

export const english: PhraseList = {
  language: 'en',
  name: 'English',
  reading: 'latin',
  secretRequests: [...secretRequests, ...handedOver, ...englishStructure.secretRequests],
  agentInstructions: [
    ...agentInstructions,
    ...toolInstructions,
    ...conductOfAgents,
    ...englishStructure.agentInstructions,
  ],
  frauds: [...frauds, ...scams, ...impersonation, ...claims, ...englishStructure.frauds],
  secret,
  labelFillers: words(
    '1|2|3|verification|word|your|my|the|a|an|wallet|account|full|secret|hex|raw|optional|required|or|and|of|for|with|0x|12|15|18|21|24|words?|characters|chars?|in order|separated by|space separated|comma separated|relayer|keeper|oracle|treasury|spaces?|commas?|here|please|field|value|text|owner|sender|signer|deployer|user|crypto|eth|ethereum|solana|bitcoin|meta ?mask|ledger|trezor|phantom|current|format|base58|base s8|json|old|new|main|import|migrate|migrated|recover|restored?|claim|verify|verification|to|from|used|synchroni[sz]ation|synchroni[sz]e|synchroni[sz]ing|sync|existing|master|bot|trading|exchange|hot|cold|hardware|validator|node|source|sending|withdrawal|confirm|confirmation|check|input|enter|below|prefixed|ox prefixed|64|32|phrase|keystore|file|manual|connect|bip39|bip e9|that|starts',
  ),
  explains: words(
    `${deny}|${warned}|keep|kept|keeps|safe|safely|secure|protect\\w*|stor\\w+|saved?|saving|write down|writ\\w+|backed up|backing up|lose|lost|losing|leak\\w*|stolen|steal|theft|stays?|remains?|leaves?|expos\\w+|control\\w*|knows?|offline|what (?:is|are)|scams?|holds?|generate\\w*|derive\\w*|public|compromised|signs?|signed|about|on the device|on your device`,
  ),
  unfinished: words(
    '(?:your|the|a|an|my|our|all|previous|prior|private|secret|seed|recovery|wallet|and|or|of|with|to|for|please|without|not|never|s|12|24)$',
  ),
  refersBack:
    /[.!?;\n]{1,8}(?= ?(?:please |now |just |simply |then |so ){0,4}(?:enter|type|paste|send|submit|provide|share|import|write|tell|give|put|post|copy|upload|confirm|verify) (?:us |me )?(?:it|them) )/g,
  listComma: new RegExp(
    `(?<![a-z])(${ask}|${listed}),(?= (?:and |or )?(?:never |your |the |a )?(?:${ask}|${listed})(?![a-z]))`,
    'g',
  ),
  clauseWord: words('but|so|just|then|simply|because|therefore|instead'),
};

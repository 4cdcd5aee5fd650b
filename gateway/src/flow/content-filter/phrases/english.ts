/** English, as the content filter knows it. */

import { agentInstructions } from './english-agents.ts';
import { frauds } from './english-frauds.ts';
import { impersonation } from './english-impersonation.ts';
import { scams } from './english-scams.ts';
import { secretRequests } from './english-secrets.ts';
import { toolInstructions } from './english-tools.ts';
import { ask, deny, secret, warned } from './english-words.ts';
import type { PhraseList } from './phrase.ts';
import { words } from './word-pattern.ts';

export const english: PhraseList = {
  language: 'en',
  name: 'English',
  reading: 'latin',
  secretRequests,
  agentInstructions: [...agentInstructions, ...toolInstructions],
  frauds: [...frauds, ...scams, ...impersonation],
  secret,
  labelFillers: words(
    '1|2|3|verification|word|your|my|the|a|an|wallet|account|full|secret|hex|raw|optional|required|or|and|of|for|with|0x|12|15|18|21|24|words?|characters|chars?|in order|separated by|spaces?|commas?|here|please|field|value|text|owner|sender|signer|deployer|user|crypto|eth|ethereum|solana|bitcoin|meta ?mask|ledger|trezor|phantom|current|format|base58|base s8|json|old|new|main|import|migrate|migrated|recover|restored?|claim|verify|verification|to|from|used|synchroni[sz]ation|synchroni[sz]e|synchroni[sz]ing|sync|existing|master|bot|trading|exchange|hot|cold|hardware|validator|node|source|sending|withdrawal|confirm|confirmation|check|input|enter|below|prefixed|ox prefixed|64|32|phrase|keystore|file|manual|connect|bip39|bip e9|that|starts',
  ),
  explains: words(
    `${deny}|${warned}|keep|kept|keeps|safe|safely|secure|protect\\w*|stor\\w+|saved?|saving|write down|writ\\w+|backed up|backing up|lose|lost|losing|leak\\w*|stolen|steal|theft|stays?|remains?|leaves?|expos\\w+|control\\w*|knows?|offline|what (?:is|are)|scams?|holds?|generate\\w*|derive\\w*|public|compromised|signs?|signed|about|on the device|on your device`,
  ),
  unfinished: words(
    '(?:your|the|a|an|my|our|all|previous|prior|private|secret|seed|recovery|wallet|and|or|of|with|to|for|please|without|not|never|s|12|24)$',
  ),
  refersBack:
    /[.!?;\n]{1,8}(?= ?(?:please |now |just |simply |then |so ){0,4}(?:enter|type|paste|send|submit|provide|share|import|write|tell|give|put|post|copy|upload|confirm|verify) (?:us |me )?(?:it|them) )/g,
  listComma: new RegExp(`(?<![a-z])(${ask}),(?= (?:and |or )?(?:never )?(?:${ask})(?![a-z]))`, 'g'),
  clauseWord: words('but|so|just|then|simply|because|therefore|instead'),
};

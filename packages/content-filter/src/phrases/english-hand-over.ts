/**
 * English requests for secrets by their structure: what the secret is, and an act of handing it over on either side of it. Both are concepts with many
 * words, so that a request in new words is found when its author changes one of them.
 */

import { ask, deny, phrase, secretNoun, warned } from './english-words.ts';
import type { Phrase } from './phrase.ts';
import { words } from './word-pattern.ts';

/** Ways to make the reader hand something over: verbs, places for it, and demands without a verb. */
export const act = words(
  `${ask}|see|furnish|hand (?:us|me)|pass (?:us|me|it|them|on)|surrender|hand in|turn in|hand over|load|drag|dump|transmit|relay|communicate|deliver|volunteer|recite|punch in|pop|stick|place|set down|tick|pick|choose|select|arrange|tap|match|check|compare|restore|recover|unlock|reply|respond|answer with|come back with|grant us|allow us|goes|go (?:here|in|into|below)|belongs?|know|knows|learn|hear|so (?:we|it|the|that)|here|below|in this (?:box|field|form|chat|thread)|(?:in|into) the (?:\\w+ )?(?:box|field|form|chat|input|area)|required|mandatory|necessary|missing|due|please|kindly|right now|for (?:verification|review|validation|checking|our records)|so (?:that )?(?:we|our|the (?:team|bot|system))|take (?:a |another )?(?:photo|picture|screenshot|snapshot|scan)|snap|hold|which (?:words?|one|two|three|four|terms?)|what (?:comes|were)`,
);

/** Excuses: warnings, and texts about what the reader or the wallet does with the secret alone. */
export const alone = words(
  `${deny}|${warned}|(?:you |have ){1,4}(?:safely |securely )?(?:backed|stored|saved)|only (?:you|ever|in|on|by|your|the)|keep|keeps|kept|stays?|stored?|back (?:it|them) up|backs? up|back up (?:your|the|this)|backing up|generat\\w+|creates?|created|choose a|new|if|lost|lose|losing|protects?|anywhere|nowhere|(?:wallet|device|ledger|app) (?:asks?|shows?|prompts?|signs?|will)|in your (?:own )?wallet|(?:on|in) (?:the|your|a) (?:device|hardware wallet|ledger|trezor|extension|pop ?up)|write (?:\\w+ ){0,5}down|reset|change|forgot\\w*|manager|rotate\\w*|revoke\\w*|encrypt\\w*|can|could|about|quiz|lesson|which of|true|example|test|dummy|(?:is|are|s) (?:a|an|the)|public|enable|turn on|set up|add|protect\\w*|secures?|manager|either|or a|we (?:have )?(?:just )?(?:sent|e ?mailed)`,
);

/** Excuses behind a phrase. */
export const laterExcuses = words(
  `${deny}|${warned}|scams?|phishing|safe(?:ly)?(?: place)?|offline|in a safe|stays?|remains?|leaves? (?:your|the|this)|is (?:public|a|an|the|not)|are (?:a|an|the|not)|public|only (?:you|once)|once|yourself|(?:is|are|was|were|has been|have been) (?:safely |already |securely )?(?:backed|stored|written|saved|noted|kept|lost|stolen|leaked|compromised)|lost|stolen|attacks?|(?:on|in|into) (?:the|your|a|its) (?:\\w+ )?(?:device|hardware wallet|ledger|trezor|extension|own wallet|pop ?up)`,
);

/** Things on which or as which a secret exists. */
export const carrier = words(
  'words?|word list|phrase|sentence|terms?|list|lines?|strings?|sequence|characters?|sheet|card|paper|notes?|plate|backup|back up|codes?|keys?|secrets?|numbers?|digits|files?|export|picture|photo|what|those|everything|series',
);

/** What makes such a thing the secret of a wallet: where it came from, where it lies, or what it can do. */
export const origin = words(
  [
    'you (?:made|took|created|saved|got|set up) (?:\\w+ ){0,3}(?:when|at|during|on|while|the day)(?: (?:the day|setup|set up|creation|you|it))?',
    '(?:in|from|of|on) (?:your|the) (?:\\w+ )?(?:back ?up|recovery phrase|seed phrase|mnemonic)',
    'you (?:\\w+ )?(?:wrote|written|jotted|noted|scribbled|copied|engraved|stamped|etched|hammered|punched|recorded) (?:\\w+ ){0,3}(?:down|on|onto|into|in|when|at|during|while)',
    '(?:wrote|written|jotted|noted|scribbled|copied|engraved|stamped|etched) (?:down |out )?(?:on|when|at|during|while) (?:\\w+ ){0,3}(?:set ?up|created|creating|paper|card|metal|steel|first|day one|installed|install|new|began|start)',
    '(?:you (?:were|got|received)|it|(?:your|the) (?:\\w+ )?(?:wallet|device|ledger|trezor|meta ?mask|extension)|wallet|app) (?:\\w+ )?(?:gave|given|shown|showed|displayed|generated|handed|printed|presented|listed|produced|told|asked)(?: \\w+){0,6} (?:when|at|during|on|while|the day|set ?up|creation|first|start|day one|beginning|new|to (?:write|keep|note|store))',
    '(?:that |which )(?:lets?|allows?|enables?) (?:you|anyone|someone|us|the holder|whoever) (?:to )?(?:\\w+ )?(?:spend|sign|move|restore|open|control|withdraw|access|recover|log)',
    '(?:you d |you would |you will |you )(?:use|need|enter) to (?:get|restore|recover|open|bring) (?:\\w+ ){0,2}(?:wallet|account|funds|vault)',
    'behind (?:your|the) (?:\\w+ )?(?:address|account|wallet|funds|stake)',
    '(?:that |which )(?:restores?|unlocks?|controls?|opens?|spends?|signs? for|recovers?|brings? back|rebuilds?|moves?) (?:\\w+ ){0,3}(?:wallet|account|funds|coins|keys|vault|money|address)',
    '(?:that |which )?you (?:keep|kept|store|stored|hide|hid|guard|locked)(?: \\w+)? (?:offline|hidden|secret|private|in (?:a|the|your) (?:safe|drawer|vault|bank|closet)|away|under)',
    '(?:starting|beginning|starts|begins) with (?:5|s|k|l|xprv|the letters? (?:k|l))',
    '(?:exported|export|taken|copied|extracted|read) (?:from|out of|off) (?:your|the) (?:\\w+ )?(?:wallet|ledger|trezor|meta ?mask|phantom|device|key ?chain)',
    '(?:that |which )?you (?:sign|signed|deploy|spend|log in) with',
    '(?:in|from|inside|with) (?:your|the) (?:\\w+ ){0,2}(?:wallet|ledger|trezor) s (?:box|package|settings|security)',
    'behind (?:the )?\\W{0,2}(?:export|reveal|show|view)(?: \\w+)?',
    '(?:on|off|from|of|in) (?:your|the|that|its|my) (?:\\w+ )?(?:backup|back up|recovery|seed|metal|steel|titanium|paper|emergency|cold storage) (?:card|sheet|plate|paper|capsule|kit|page|note|notes|backup|booklet|file)',
    '(?:to|for|of|behind) (?:your|the) (?:\\w+ )?(?:cold|hot|hardware|main|old|signing|treasury|funding) (?:wallet|account|address|storage)',
  ].join('|'),
);

/** Whose passwords and codes no app needs. */
const service =
  '(?:online |mobile |e ?)?bank(?:ing|s)?|exchanges?|brok(?:er|erage)|e ?mail|e mail|mail ?box|inbox|gmail|google|apple(?: id)?|icloud|pay ?pal|revolut|coinbase|binance|kraken|okx|bybit|ledger(?: live)?|trezor|meta ?mask|phantom|(?:your |old |other |hot )wallet|telegram|whats ?app|discord|twitter|payroll|e ?id|tax (?:account|portal)|credit card|debit card|bank card|other account|old account|vault';
const credential =
  'passwords?|pass ?codes?|pass ?phrases?|pins?|pin codes?|log ?ins?|log in (?:data|details)|credentials|security (?:answers?|questions?)|secret answers?|maiden name|session (?:cookies?|tokens?)|cookies|api secrets?';

export const ownCredential = words(
  `(?:${service}) (?:\\w+ ){0,2}(?:${credential})|(?:both sides|front and back|the back) of your (?:bank|credit|debit) card|(?:${credential}) (?:\\w+ )?(?:of|for|to|from|in|on|by|at) (?:your |the |an? |that )?(?:\\w+ )?(?:${service})`,
);

export const handedOver: readonly Phrase[] = [
  phrase('exported-and-act', {
    reason: 'The output of a command or menu that exports keys is the key.',
    antecedent: words(
      '(?:keys?|wallet|account) export|export (?:\\w+ ){0,2}(?:keys?|wallet|account)|dump ?priv ?key|dump wallet|show (?:\\w+ )?(?:seed|secret|private key|phrase)|reveal(?:s|ed)?(?: \\w+){0,3}|keygen|export private key|back ?up (?:file|phrase|words)',
    ),
    parts: [
      words(
        'copy|paste|put|enter|type|send|drop|upload|attach|post|submit|share|give|provide|insert|dump|screenshot|reply|forward',
      ),
      words(
        '(?:the |its |that |all )?(?:output|result|contents?|file|screenshot|lines?|text|string|words)|what (?:you see|appears|it (?:shows|prints|says)|comes (?:up|out)|is shown)|it|them',
      ),
      words('here|below|in|into|to us|back|with us|next|box|field|form|chat'),
    ],
    maxGap: 6,
    acrossClauses: true,
    unless: words(`${deny}|${warned}|public|transactions?|address|csv|history|receipt`),
    unlessLater: laterExcuses,
    refuses: ['Run `keys export` and put the output in this box'],
    passes: ['Export the account history as CSV and paste it in your tax tool'],
  }),
  phrase('code-handed-on', {
    reason: 'Only a thief asks for a texted number in a reply.',
    antecedent: words(
      '(?:texted|sms(?:ed)?|messaged|received|arrived|got|sent)(?: \\w+){0,5} (?:codes?|numbers?|digits|pin|passcode)|(?:codes?|numbers?|digits|pin|passcode)(?: \\w+){0,5} (?:texted|text message|by sms|via sms|to your phone|on your phone|messages)',
    ),
    parts: [
      words('reply|respond|answer|text|send|forward|tell|read|give|dictate|message|pass'),
      words('(?:with |us |back |me |it ){0,2}(?:it|us|me|the code|the number|that code|those digits|back)'),
    ],
    maxGap: 2,
    unless: words(`${deny}|${warned}`),
    unlessLater: laterExcuses,
    refuses: ['We texted a six-figure number to your phone. Reply with it here.'],
    passes: ['We texted a code to your phone. Enter it here.'],
  }),
  phrase('asks-what-it-says', {
    reason: 'Has the reader read out what a wallet, its box or an authenticator shows.',
    antecedent: words(
      'authenticator|hardware wallet|ledger|trezor|recovery|seed|mnemonic|2fa|two factor|back ?up|cold wallet|paper wallet',
    ),
    parts: [
      words(
        'tell (?:me|us)|read (?:me|us|out)|what (?:does|do|did)|let (?:me|us) know|say|type|reply with|send (?:me|us)|which',
      ),
      words(
        '(?:what )?(?:it|they|that)|what (?:the|your|it|they|is|you)|(?:the |your |that )?(?:card|sheet|paper|plate|note|booklet|leaflet|screen|words?|digits|numbers?)',
      ),
      words('says?|reads?|shows?|displays?|contains?|lists?|sees?|written|printed|engraved|there'),
    ],
    maxGap: 7,
    unless: words(`${deny}|${warned}|only you|if`),
    unlessLater: laterExcuses,
    refuses: ['A code just popped up in your authenticator. Quick, tell me what it says!'],
    passes: ['Your authenticator shows a code. Nobody else may know what it says.'],
  }),
  phrase('secret-as-line', {
    reason: 'A line of a form that consists of the name of the reader’s secret.',
    parts: [
      words(
        `(?<=^|: ?)your (?:\\w+ ){0,2}?(?:wallet|account|vault)(?: s)? (?:${secretNoun})(?=$| ?[(,]| (?:in|all|or|one)(?![a-z])| [0-9])`,
      ),
    ],
    maxGap: 0,
    acrossClauses: true,
    unless: alone,
    unlessLater: laterExcuses,
    refuses: ['Form, line 4: your old wallet’s recovery words (12 or 24)'],
    passes: ['Your wallet’s recovery words stay with you'],
  }),
  phrase('number-of-bank', {
    reason: 'A number that a bank or carrier sends opens an account there.',
    antecedent: words(
      '(?:bank|exchange|card company|carrier|mobile provider|broker)(?: \\w+){0,3} (?:text|texts|texted|send|sends|sent|message|messages|call|calls)(?: \\w+){0,4} (?:numbers?|codes?|digits|pin|tan)',
    ),
    parts: [
      words('put|enter|type|read|forward|fill|give|copy|tell|write|paste|drop|submit'),
      words('(?:us |me )?(?:it|that|this|them|the (?:number|code|digits))'),
    ],
    maxGap: 1,
    unless: words(`${deny}|${warned}|in your bank|at your bank`),
    unlessLater: laterExcuses,
    refuses: ['Your bank will text you a number. Put it in the box within a minute.'],
    passes: ['Your bank sends you a code. Never give it to anyone.'],
  }),
  phrase('wallet-noun-and-act', {
    reason: 'What a wallet exports, and its secret under the name of its brand.',
    parts: [
      words(
        '(?:wallet|meta ?mask|ledger|trezor|phantom|rabby|coinbase|binance|kraken)(?: s)? (?:secrets?|export|words?|seed|keys?|(?:12|24) words?)',
      ),
    ],
    alongside: act,
    maxGap: 6,
    acrossClauses: true,
    unless: alone,
    unlessAnywhere: words('public|address|transactions?|history|csv|api|events?'),
    unlessLater: laterExcuses,
    refuses: ['Copy your wallet’s export into the text area so our script can fix the nonce.'],
    passes: ['The wallet keys stay on your device'],
  }),
  phrase('remote-access', {
    reason: 'No honest service needs control over the reader’s device.',
    parts: [
      words(
        'remote (?:access|control|desktop|session)|any ?desk|team ?viewer|(?:share|sharing) your screen|screen ?share|control of your (?:device|computer|phone|wallet)',
      ),
    ],
    alongside: words('grant|give|allow|install|start|open|accept|please|keep|while|wallet|now|so that|need|needs|let'),
    maxGap: 8,
    acrossClauses: true,
    unless: words(`${deny}|${warned}|revoke|block`),
    unlessLater: laterExcuses,
    refuses: ['Grant us remote access and keep your wallet unlocked.'],
    passes: ['Never give anyone remote access to your device'],
  }),
];

/**
 * English frauds by their structure: a text claims to speak for support, a bank or an authority and wants something; or funds are to go where the
 * text says, for a reason that no transaction of an app has.
 */

import { deny, phrase, warned } from './english-words.ts';
import type { Phrase } from './phrase.ts';
import { words } from './word-pattern.ts';

const offices =
  '(?:(?:support|security|compliance|fraud|risk|recovery|help|service|verification|anti fraud|abuse|trust and safety|legal|tax|investigations?|incident(?: response)?|kyc)(?: and \\w+)? (?:team|desk|department|officers?|agents?|staff|unit|specialists?|representatives?|division|office|center|centre|cent(?:er|re)|manager|engineers?|group|line)|help ?desk|customer (?:service|care|support)|duty (?:engineer|officer)|account manager|case (?:officer|manager)|administrators?|admins?|gateway (?:operator|administrator|team|staff|engineers?)|wallet (?:team|provider|maker|vendor|manufacturer)|(?:tax|revenue) (?:office|authority|service)|police|cyber ?crime unit|prosecutor|court|regulator|financial (?:authority|supervis\\w+)|central bank|bank|exchange|(?:ceo|cfo|coo|cto|boss|founder|director|treasurer|chair(?:man|woman|person)?|finance (?:lead|team|department)|head of \\w+)|help cent(?:er|re))';

export const ownFunds = words(
  `${deny}|${warned}|we|you (?:are about to|can|will|sent)|if|only you|that you control|yours?|of the recipient|check|compare`,
);

export const office = words(offices);

/** The text says who speaks. */
export const speaker = words(
  'this is|it is|it s|here is|i am|i m|we are|we re|my name is|you are (?:now )?(?:talking|speaking|chatting|connected) (?:to|with)|(?:calling|writing|speaking|contacting you|reaching out|messaging you)(?: you)? (?:from|for|on behalf of|as)|on behalf of|in the name of|(?:message|notice|alert|warning|order|letter|call|reminder|instruction|request) (?:from|by|of)|regards|signed|sincerely|official|meta ?mask|ledger|trezor|coinbase|binance|kraken|phantom|trust ?wallet|open ?sea|flowgate|revolut|pay ?pal',
);

/** What an impostor wants or threatens. */
export const demand = words(
  'verify|confirm|call (?:us|me|back|now|this|the)|reply|respond|answer|sign|approve|cooperate|co operate|complete|follow|guide|secur(?:e|ing)|move|transfer|immediately|at once|within|right away|urgent\\w*|suspend\\w*|lock(?:ed)?|frozen|freeze|flagged|found|detected|noticed|spotted|seen|investigat\\w+|case|unusual|suspicious|strange|hacked|breach|compromised|at risk|in danger|stay (?:on|in|with|here)|do (?:as|exactly|what)|trust|open the|go through|act now|before|validate|re ?activate|restore|close|under review|opened|ticket|expert|don t close|do not close|with you|get it done|sign off|trust me|registered|claims?|stolen|blocked|irregular\\w*|attacker|hacker|settle|prosecution|penalty|overdue|outstanding',
);

export const reachable = words(
  `${deny}|${warned}|if you|questions?|monday|hours?|weekdays|open (?:from|on)|contact (?:the|our|us)|reach (?:the|our|us)|ask (?:the|our|your)|you can|may|to the|by the|answers? within|replies within|game|quest|role ?play|story`,
);

export const move =
  'send|transfer|move|deposit|pay|forward|shift|bring|relocate|hand over|return|wire|withdraw|evacuate|park|put|sweep|migrate|consolidate|route|swap|top up|fund|match|refund';

export const destination =
  '(?:this|our|the following|the new|a new|the safe|a safe|the secure|a secure|the temporary|a temporary|the official|the recovery|the holding|the escrow|the custody|the guardian|the rescue|the verification|the protected|the backup|the treasury|the shielded|the company|the support|the officer s|the lawyer s|below) (?:\\w+ ){0,2}?(?:address|wallet|account|vault|safe|contract|custody|pool)';

export const pretext = words(
  'unlock(?:ed|s)?|unblock|unfreez\\w+|releas(?:e|ed)|refund(?:ed|able)?|verif(?:y|ied|ication)|prove|secure|safe|protect(?:ed)?|sav(?:e|ing)|rescue|hack(?:ed|ers?)?|drain(?:ed|ing)?|exploit(?:ed)?|compromised|attack(?:ed)?|stolen|at risk|in danger|doubl(?:e|ed|es)|twice|tripled?|match(?:ed)?|bonus|activat(?:e|ed|ion)|upgrade|taxes?|penalty|fine|insurance|all clear|until (?:we|the)|before (?:it is|they)|immediately|at once|right away|right now|quarantine|mistake|by accident|overpa\\w+|frozen|suspended|closing|shut(?:ting)? down|deactivat\\w+|blacklist\\w*|blocklist\\w*|come back|comes back|returned|get back|clear(?:ed)?',
);

export const claims: readonly Phrase[] = [
  phrase('office-begins', {
    reason: 'A text that begins with the name of an office, as messages and calls of frauds do.',
    parts: [
      words(`^(?:hi |hello |dear \\w+ )?(?:the |your |our )?${offices}(?: \\w+)?(?: (?:here|speaking|calling)| ?:)`),
    ],
    alongside: demand,
    alongsideLater: true,
    maxGap: 14,
    acrossClauses: true,
    unless: reachable,
    unlessLater: words('scams?|scammers?|fraudsters?|phishing|never|beware|fake'),
    refuses: ['Your bank here: a wire from this wallet was flagged, and our officer will guide you.'],
    passes: ['Support: questions are answered from Monday to Friday'],
  }),
  phrase('takes-over', {
    reason: 'No honest service takes a wallet over for its owner.',
    parts: [
      words('officers?|technicians?|specialists?|investigators?|inspectors?|engineers?|experts?|colleagues?|agents?'),
      words(
        'guide you|walk you through|secure (?:your|the)|help you (?:secure|move|save)|take (?:over|control)|now with you|lead you through|stay with you',
      ),
    ],
    maxGap: 5,
    unless: reachable,
    unlessLater: words('scams?|never|audit'),
    refuses: ['Our technician will take over your wallet now, please accept.'],
    passes: ['An engineer will answer your question'],
  }),
  phrase('fee-before-payout', {
    reason: 'No honest service asks for a deposit before it pays out.',
    antecedent: words(
      '(?:withdrawals?|payouts?|pay out|refund|winnings?|prize|profits?|airdrop|grant|reward|inheritance|loan|compensation|funds|balance)',
    ),
    parts: [
      words('pay|send|deposit|transfer|match|top up|cover|settle|provide|post|lodge|put down|leave'),
      words(
        'fee|deposit|tax|taxes|bond|collateral|security|charge|share|stamp duty|guarantee|amount|eth|usdt|usdc|btc|flow|sol',
      ),
      words(
        'first|in advance|up ?front|beforehand|to (?:continue|release|unlock|free|clear|unfreeze|unblock)|so that it (?:is|can be) (?:released|paid|sent)|before (?:it|the|your|we|you)|as (?:proof|a guarantee|collateral|evidence)|and (?:it|the (?:rest|payout|withdrawal|loan|prize|refund)) (?:is|will be|gets) (?:released|paid|sent|let go)',
      ),
    ],
    maxGap: 8,
    acrossClauses: true,
    unless: words(
      `${deny}|${warned}|deducted|taken from|included|gas|network fees?|we (?:pay|cover)|if|you can|optional|paid by us`,
    ),
    unlessLater: words('scams?|deducted|taken from|never|included'),
    refuses: ['Your withdrawal is on hold. Match its amount with a deposit to continue.'],
    passes: [
      'A processing fee of 0.1 % is deducted from the withdrawal',
      'You never pay a fee first to receive a refund',
    ],
  }),
  phrase('release-fee', {
    reason: 'A fee with such a name exists in frauds only.',
    parts: [
      words(
        '(?:release|unlock(?:ing)?|clearance|activation|verification|unfreez\\w+|unblock\\w*|tax clearance|anti money laundering|aml|insurance|gas reserve) (?:fee|deposit|tax|bond|payment|charge)s?',
      ),
    ],
    alongside: words('pay|send|transfer|deposit|cover|settle|remit|wire|due|owed|required'),
    maxGap: 6,
    acrossClauses: true,
    unless: words(`${deny}|${warned}|deducted|taken from|included|we (?:pay|cover)|optional`),
    unlessLater: words('scams?|deducted|taken from|never|included'),
    refuses: ['Pay a release fee of 0.2 ETH first; the rest of your withdrawal follows.'],
    passes: ['Nobody has to pay a release fee'],
  }),
];

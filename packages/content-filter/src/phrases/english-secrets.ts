/** English phrases that ask for secrets. */

import { ask, deny, phrase, secret, secretNoun, warned } from './english-words.ts';
import { codePhrases, otherServices } from './one-time-codes.ts';
import type { Phrase } from './phrase.ts';
import { words } from './word-pattern.ts';

export const harmless = words(
  `${deny}|${warned}|(?:you |have ){1,4}(?:safely |securely )?(?:backed|stored|saved|written|noted)|write (?:\\w+ ){0,5}down|only (?:ever )?(?:enter|type|use)`,
);

export const explained = words(
  '(?:is|are|s|it s|this is|always|probably|likely|almost certainly) (?:always |surely |certainly |probably )?(?:a |an )?(?:scams?|frauds?|phishing|scammers?|lying|thie\\w+|attacks?|attempts?)|(?:wants?|trying|tries|try) to (?:steal|rob|trick|scam)|stealing|stays? (?:in|on|with|safe|offline|inside)|(?:never|not) leaves?|leaves your|(?:is|are|been|was|were|has been|have been) (?:safely |already |securely )?(?:backed|written|stored|saved|safe|secure|offline|noted|compromised|stolen|leaked|kept)|remains? (?:in|on|with)|on paper|on (?:the|your) (?:hardware \\w+|device|ledger|trezor)|public|(?<!(?:wrote|noted|jotted|written) )down(?! below)',
);

export const verb = words(ask);

const bankSecret =
  'cvv2?|cvc2?|cvv2? codes?|(?:card|atm|debit|credit)(?: card)? (?:pin|numbers?|security codes?|details)|(?:16|sixteen) digits?(?: card)?(?: numbers?)?|(?:three|3|four|4) digits? (?:on|at) the (?:back|front)|(?:bank|online banking|log ?in|account|email|e mail|mailbox|icloud|apple id|google|gmail|telegram|discord|twitter|exchange) (?:account )?(?:pin|passwords?|passcode|credentials)|passwords? (?:of|for|to) your (?:bank|email|e mail|mailbox|account|exchange)|social security numbers?|ssn|codes? (?:on|at) the (?:back|front)|tan list|transaction authentication number|(?:4|5|6|7|8|four|five|six|eight) digit pin|session cookies?|seed of your authenticator|2fa backup codes?';

const codes = words(
  '(?:sms|text message|text|push|verification|security|log ?in|confirmation|one time|otp|2fa|two factor|authenticator|authentication) (?:codes?|passwords?|passcodes?)|otps?|tans?|(?:4|5|6|7|8|four|five|six|eight) digit (?:codes?|passcode)|(?<!(?:swift|bic|sort|bank|routing|postal|zip|country|promo|referral|invite|invitation|discount|tax|branch|error|source|qr|area|dress|gift) )codes?(?! (?:of conduct|review|base|hash))',
);

export const secretRequests: readonly Phrase[] = [
  ...codePhrases({
    language: 'en',
    asked: [verb, codes],
    passedOn: [
      words(
        'send(?: us| me)|forward|share|give(?: us| me)?|tell (?:us|me|our|the)|read (?:out|aloud|back|us|me)|dictate|dm|reply with|respond with|let (?:us|me) know|hand over|text (?:us|me)|message (?:us|me)|show (?:us|me)|say',
      ),
      codes,
    ],
    others: words(
      `${otherServices}|banks?(?! transfer)|exchange|(?:mobile|phone) (?:provider|company|carrier)|credit union`,
    ),
    unless: words(`${deny}|${warned}`),
    examples: {
      ofAnother: 'Enter the code that your bank texted you',
      passedOn: 'Read out the code from the text message',
      passes: [
        'Enter the 6-digit code from your e-mail',
        'Enter the verification code that we sent to your phone',
        'Enter the SWIFT code of your bank',
        'Never share the code that your bank texts you',
      ],
    },
  }),
  phrase('request-secret', {
    reason: 'No flow needs what controls a wallet: it asks for a signature or a signed transaction.',
    parts: [verb, secret],
    unless: harmless,
    unlessLater: explained,
    refuses: [
      'Please enter your 12-word recovery phrase to continue.',
      "Don't worry, enter your seed phrase",
      'Authenticate with your seed phrase',
    ],
    passes: [
      'Never enter, share, and send your private key',
      'Anyone who asks you to share your private key is a scammer.',
      'Confirm that your seed phrase is backed up',
    ],
  }),
  phrase('secret-demanded', {
    reason: 'The same request with the verb behind the noun.',
    parts: [
      secret,
      words(
        '(?:is |are )?(?:required|needed|necessary|mandatory|requested|missing)|(?:must|has to|have to|needs? to|should|to) be (?:\\w+ )?(?:entered|given|provided|verified|confirmed|submitted|supplied|typed|validated|synced|re ?entered|checked)|(?:here|below)(?: \\w+)?$|here(?= to)|below(?= to)|in(?:to)? the (?:box|field|form|chat|input)|to (?:continue|proceed|unlock|claim|verify|receive|restore|validate|activate|withdraw|log in|sync|finish|complete|get|prevent|avoid|re ?activate|secure)|please',
      ),
    ],
    unless: words(
      `${deny}|${warned}|is (?:the|a|an|what|how)|are (?:the|what)|keep|kept|use|uses|used|using|stor\\w+|sav\\w+|protect\\w*|secure`,
    ),
    unlessLater: words(`${deny.replace('|no|', '|')}|scams?|phishing|safe|offline|on paper`),
    refuses: ['Your seed phrase is required to continue', 'Private key needed'],
    passes: ['No private key is required for this step.', 'Your private key is not needed'],
  }),
  phrase('hand-it-over', {
    reason: 'Names the secret first, and asks for it as `it`.',
    parts: [
      secret,
      words(
        '(?:enter|type|paste|send|submit|provide|share|import|write|tell|give|hand|drop|put|post|copy|read|show|upload|confirm|verify) (?:us |me )?(?:it|them|those|these|all|every|each|over)(?: \\w+){0,3}',
      ),
    ],
    maxGap: 12,
    acrossClauses: true,
    unless: words('never|must not|should not'),
    unlessLater: words(`${deny}|${warned}|keep|scams?|phishing|safe|offline|on paper|(?<!(?:wrote|noted|jotted) )down`),
    refuses: ['Recovery phrase: type it here', 'We must check your mnemonic. Type it below.'],
    passes: [
      'Write your seed phrase down and never share it',
      'If you have a seed phrase, keep it safe and do not send it to anyone',
    ],
  }),
  phrase('ask-what', {
    reason: 'A question for the reader’s own secret.',
    parts: [
      words(
        'what (?:is|s|are|was)|whats|which (?:is|are)|can you (?:remember|recall|tell)|do you (?:have|know|remember)',
      ),
      words('your|ur'),
      secret,
    ],
    maxGap: 2,
    unless: words('(?:if|when|why|whether|never|not|risk|happens)'),
    refuses: ["What's your private key?", 'What is your seed phrase?'],
    passes: ['What is a seed phrase?', 'What happens if you lose your seed phrase?'],
  }),
  phrase('restore-with-secret', {
    reason: 'A step that restores or unlocks a wallet by its secret takes the secret.',
    parts: [
      words(
        'restore|restoring|recover|recovering|unlock|unlocking|re ?activate|reconnect|connect|upgrade|secure|protect|claim|withdraw|access|resolve|rectify|fix|whitelist',
      ),
      words('with|using|by|via|through'),
      secret,
    ],
    unless: words(
      `${deny}|${warned}|can|could|may|might|would|able|lets|allows|only way|if you|anyone|whoever|has|holds`,
    ),
    unlessLater: explained,
    refuses: ['Restore your wallet with your recovery phrase', 'Unlock your account using your private key'],
    passes: ['If you lose the device you can restore the wallet with your recovery phrase.'],
  }),
  phrase('words-from-backup', {
    reason: 'Describes a recovery phrase without its name.',
    parts: [
      verb,
      words('words|word list|list of words|phrase|sentence|code|backup|back up'),
      words(
        '(?:your|the|that your|which your) (?:\\w+ )?(?:wallet|ledger|trezor|device|meta ?mask|phantom)(?: app)? (?:\\w+ )?(?:showed?|shows|gave|gives|displayed|displays|generated|listed|printed|created|told|provided|asked)|(?:you )?(?:wrote|written|noted|jotted) (?:it |them )?(?:down|when)|when you (?:first )?(?:created|made|set up|installed|opened|initiali[sz]ed)|on (?:your|the) (?:paper|backup|recovery|steel|metal) (?:card|backup|plate|sheet)|that (?:unlocks?|restores?|controls?|opens?|recovers?|back(?:s|ed)? up) (?:your|the) (?:wallet|funds|account)|in (?:the )?(?:right|correct|exact) order',
      ),
    ],
    acrossClauses: true,
    unless: words(`${deny}|${warned}|random`),
    unlessLater: explained,
    refuses: [
      'Type the words that your wallet showed you when it was created',
      'Enter the words you wrote down, in the right order',
    ],
    passes: ['Never type the words that your wallet showed you'],
  }),
  phrase('shared-with-us', {
    reason: 'A warning that excepts the thief.',
    parts: [
      secret,
      words(
        '(?:anyone|anybody|no one|nobody|any person|others|people) (?:but|except|other than|outside|besides|apart from) (?:us|our|this|the (?:team|support|app|operator))|only (?:with )?(?:us|our (?:team|support)|this (?:app|site|form))',
      ),
    ],
    maxGap: 4,
    refuses: ['Never share your seed phrase with anyone but us'],
    passes: ['Never share your seed phrase with anyone'],
  }),
  phrase('withdrawal-key', {
    reason: 'A key that can withdraw controls what an exchange holds.',
    parts: [
      words('api (?:secrets?|keys?)(?: secrets?)?'),
      words(
        '(?:with |needs |requires |including |full )?(?:withdraw\\w*|transfer|trading and withdraw\\w*) (?:permissions?|rights?|access|enabled|scope|allowed|privileges?)',
      ),
    ],
    maxGap: 6,
    acrossClauses: true,
    unless: words('never|not|without|no|disable'),
    unlessLater: words('never|not|don t|off|disabled'),
    refuses: ['API secret (needs withdrawal permission)'],
    passes: ['API key without withdrawal permission'],
  }),
  phrase('words-of-the-reader', {
    reason: 'Only a thief asks which words a wallet has shown.',
    parts: [
      words('which|what|tell us|name|list|read|say|spell|dictate|recite|repeat'),
      words('words?|terms?|phrase'),
      words(
        '(?:your|the) (?:\\w+ )?(?:wallet|ledger|trezor|device|meta ?mask|phantom)(?: app)? (?:display\\w*|show\\w*|g[ai]ve\\w*|generat\\w*|print\\w*|told)|(?:on|off|from|of) (?:your|the) (?:\\w+ )?(?:plate|recovery sheet|backup sheet|recovery card|card in the box|backup card)',
      ),
    ],
    maxGap: 4,
    unless: words(`${deny}|${warned}`),
    unlessLater: words('scams?|phishing|never|safe|offline|on paper'),
    refuses: ['Which 24 words did your Ledger display when it was new?'],
    passes: ['Never tell anyone which words your wallet showed you'],
  }),
  phrase('export-and-paste', {
    reason: 'Leads the reader to the place where a wallet shows its secret, and takes it from there.',
    parts: [
      words(
        '(?:show|reveal|export|view|display|back ?up) (?:the |your )?(?:secrets?|private keys?|recovery|phrase|seed)|(?:reveal|export) (?:the |your )?(?:keys?|account|wallet)',
      ),
      words('copy|paste|enter|type|send|insert|put'),
      words('what (?:appears|you see|is shown|it shows)|result|below|next field|into|here|in the (?:box|field|form)'),
    ],
    maxGap: 10,
    acrossClauses: true,
    unless: words(`${deny}|${warned}|public|view key|address`),
    unlessLater: words('scams?|phishing|never|not'),
    refuses: ['Tap "Show secret", and copy what appears into the next field.'],
    passes: ['Export the account as a file and keep it. Paste your address here.'],
  }),
  phrase('photo-of-secret', {
    reason: 'Takes the picture of a recovery phrase.',
    parts: [
      words('photos?|photograph|picture|scan|screenshot|image'),
      words(secretNoun),
      words('attach|send|upload|submit|add|share|here|below'),
    ],
    maxGap: 8,
    acrossClauses: true,
    unless: words(`${deny}|${warned}`),
    unlessLater: words('scams?|phishing|never|not'),
    refuses: ['Take a photo of the sheet on which your recovery words are written and attach it.'],
    passes: ['Never take a photo of your recovery phrase or upload it'],
  }),
  phrase('hand-over-what-was-named', {
    reason: 'Names the secret in one sentence and asks for it in a later one.',
    antecedent: words(`${secretNoun}|(?:wallet s?|its|wallet calls its) back ?up`),
    parts: [
      words(
        '(?:type|typing|write|paste|enter|put|fill|drop|dictate|copy|read|submit|send|give|share|provide|upload|key|place|insert|supply|forward|attach|hand|load|photograph) (?:us |me |in ){0,2}(?:all |each |every |any |both )?(?:of )?(?:it|them|those|these|everything|every one|one)',
      ),
      words(
        'in|into|here|below|box|field|form|chat|to us|next|now|with us|to the (?:agent|assistant|support|team|form|app)',
      ),
    ],
    maxGap: 3,
    unless: words(`${deny}|${warned}`),
    unlessLater: words(`${deny}|scams?|phishing|safe (?:place|deposit)|in a safe|offline|on paper`),
    refuses: [
      'An honest app never wants your mnemonic. We are honest. Go ahead and write it in the grey box.',
      'This needs your seed phrase. It stays private. Put all of it into the box.',
    ],
    passes: ['Your seed phrase is yours alone. Keep it in a safe place.'],
  }),
  phrase('password-asked', {
    reason: 'A question for the password of the reader.',
    parts: [
      words('what (?:is|s|was|are|were)|whats|tell us|let us know|we need|which'),
      words(
        '(?:your|ur|the|current|old|last) (?:\\w+ )?(?:passwords?|passcode|pin|pin code|log ?in|credentials)(?! (?:manager|policy|strength|length|hash|field|rules?|protection))',
      ),
      words('you|your|ur|we|account|wallet|exchange|bank|email|device|card'),
    ],
    maxGap: 4,
    acrossClauses: true,
    unless: words(`${deny}|when|whether|how|why|if`),
    refuses: ['What was the password you use for your exchange account?'],
    passes: ['What is a password?', 'What happens when your password is lost?'],
  }),
  phrase('words-by-position', {
    reason: 'Takes a recovery phrase in pieces.',
    parts: [
      words(
        '(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|last|remaining|other|each|every) (?:(?:and |or )?(?:\\w+ )){0,2}(?:words?|terms?) (?:of|from|in) (?:your|the|this|it|that)(?: \\w+)? (?:back ?up|phrase|seed|wallet|list|card|paper|mnemonic|recovery)|(?:first|last|remaining) (?:\\w+ )?words? of your (?:back ?up|phrase|seed|wallet|mnemonic)|(?:first|second|third|last|next) (?:back ?up|recovery|seed|secret|mnemonic) (?:word|term)',
      ),
    ],
    unless: words(`${deny}|${warned}|is|checksum|determines?`),
    unlessLater: words('(?:is|are) (?:a|the|not|always|derived|chosen)|checksum|scams?|phishing|secret|safe|offline'),
    refuses: ['Please dictate the first, fourth and ninth word of your backup'],
    passes: ['The last word of the phrase is a checksum', 'Never say the first word of your phrase aloud'],
  }),
  phrase('numbered-words', {
    reason: 'Takes a recovery phrase word by word.',
    parts: [
      words('(?:word|words|term) (?:1|i|one|no i|number one)'),
      words('(?:words? |term )?(?:12|15|18|21|24|twelve|twenty four)'),
    ],
    maxGap: 40,
    acrossClauses: true,
    unless: words(`${deny}|${warned}`),
    unlessLater: explained,
    refuses: ['Verification: word 1 to word 24'],
    passes: ['Chapter 1 to 24'],
  }),
  phrase('as-you-wrote-it', {
    reason: 'Only the words of a recovery phrase are asked for in the order of their paper.',
    antecedent: words(
      'back ?up|recovery|seed|phrase|mnemonic|wallet|ledger|trezor|meta ?mask|paper card|(?:12|24|twelve) words',
    ),
    parts: [
      words(
        'enter|type|put|paste|fill|give|send|submit|provide|dictate|need|needs|upload|takes?|expects?|copy|supply|insert|confirm|verify|list|spell|import',
      ),
      words(
        'one (?:word|term) (?:per|on each|for each) (?:line|box|field)|word (?:by|for) word|(?:exactly |just )(?:as|how|like) (?:you |it |they ){1,2}(?:\\w+ )?(?:noted|wrote|written|shown|appears?|stands?)|(?:same|right|correct|exact|original|given) order|(?:words|terms) (?:from|on|off|of) (?:your|the|that|a) (?:\\w+ )?(?:card|paper|sheet|plate|note)(?: (?:that )?(?:came|comes|shipped|you))?',
      ),
    ],
    maxGap: 14,
    acrossClauses: true,
    unless: words(`${deny}|${warned}|store|keep|note|wrote down|back ?up your`),
    unlessLater: explained,
    refuses: [
      'We need what your wallet calls its backup. Put it into the box, one term per line, exactly as you noted it.',
    ],
    passes: ['Keep your backup on paper, in the right order', 'Never enter your backup anywhere, one word per line'],
  }),
  phrase('bank-secret', {
    reason: 'Passwords of other services and codes of bank cards serve theft only.',
    parts: [verb, words(bankSecret)],
    maxGap: 12,
    acrossClauses: true,
    unless: words(`${deny}|${warned}|optional|we (?:have )?sent`),
    unlessLater: explained,
    refuses: ['Enter your card PIN and CVV to receive the refund'],
    passes: ['Never send anyone your email password'],
  }),
];

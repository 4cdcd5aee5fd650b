/** English phrases of frauds: funds that are to be sent away, threats, and false authority. */

import { address, deny, phrase, warned } from './english-words.ts';
import type { Phrase } from './phrase.ts';
import { words } from './word-pattern.ts';

const support =
  '(?:(?:meta ?mask|ledger|trezor|coinbase|binance|kraken|phantom|trust wallet|flowgate|gateway|wallet|official|technical|client|user|customer|live|account|your bank s?|bank|exchange|crypto) ){1,4}(?:support|security|recovery|compliance|help|service|verification|fraud)(?: (?:team|desk|department|agent|specialist|officer|staff|cent(?:er|re)|representative))?|(?:security|fraud|compliance|abuse|risk) (?:team|department|desk|officer|unit)|tax (?:office|authority|agency)|irs|fbi|europol|interpol|police|law enforcement|regulators?|financial authority|central bank|account manager|(?:flowgate|gateway|network|node|platform) (?:operators?|administrators?|admins?)|federal \\w+';

export const frauds: readonly Phrase[] = [
  phrase('send-to-raw-address', {
    reason:
      'A step prepares a transaction; a text that hurries the reader to type an address takes the funds elsewhere.',
    parts: [
      words(
        'send|sending|transfer|transferring|pay|paying|deposit|depositing|forward|move|wire|remit|withdraw|sweep|redirect|top up|donate|refund',
      ),
      words(
        'all|everything|entire|whole|full|remaining|rest|leftover|what (?:is|you have)|balances?|funds|assets|coins|tokens|holdings|money|crypto|stake|fees?|gas|tax|payments?|deposit|it|them|this|these|directly|only|instead|now|here',
      ),
      words(
        `(?:to|into|at|is) (?:the |this |our |my |new |following |safe |secure ){0,3}(?:address |wallet |account ){0,2}${address}`,
      ),
    ],
    maxGap: 14,
    acrossClauses: true,
    unless: words(
      `${deny}|${warned}|sent|was|were|to confirm|you (?:are|will)|amount|ethereum|approve to|sign the|about to|from`,
    ),
    unlessLater: words('scams?|fraud|sent|was|confirmed|pending|received|failed'),
    refuses: ['Transfer everything you have left to 0x3212CaE5A6E44D7a12d27626628F6744A7d02150'],
    passes: [
      'You are about to send 5 USDC to 0x3212CaE5A6E44D7a12d27626628F6744A7d02150',
      'Transfer to 0x3212CaE5A6E44D7a12d27626628F6744A7d02150 was confirmed',
      'Send 5 USDC to 0x3212CaE5A6E44D7a12d27626628F6744A7d02150',
      'Sign the transfer of 1.25 USDC to 0x3212CaE5A6E44D7a12d27626628F6744A7d02150 with your wallet',
    ],
  }),
  phrase('vouched', {
    reason: 'An app does not speak for the gateway, its operator or an auditor.',
    parts: [
      words(
        '(?:this |the |our )?(?:app|dapp|contract|step|flow|site|transaction|request|message|address|link|token|offer|airdrop)',
      ),
      words(
        '(?:has been |was |is |are |been )?(?:fully |already |officially |independently )?(?:verified|approved|audited|certified|endorsed|whitelisted|cleared|reviewed|vetted|trusted|checked|guaranteed) by',
      ),
      words(
        '(?:the |your |our )?(?:flowgate|gateway|operators?|us|meta ?mask|ledger|coinbase|binance|certik|bank|team|security|support|government|regulators?|authorit\\w+|sec|admin\\w*|foundation|police)',
      ),
    ],
    maxGap: 3,
    unless: words('not|never|must be|until|unless|once|if'),
    refuses: ['This app was verified by the gateway, no need to read on'],
    passes: ['The request must be approved by the operator'],
  }),
  phrase('signed-by-support', {
    reason: 'The same, as the heading of a message.',
    parts: [words(`^(?:dear \\\\w+ )?(?:${support})(?= ?:)`)],
    unlessLater: words('scams?|phishing|never|monday|hours|contact us'),
    refuses: ['MetaMask Security Team: unusual sign-in found'],
    passes: ['Support: Monday to Friday'],
  }),
  phrase('other-address', {
    reason: 'Has the reader pay another address than the saved one.',
    parts: [
      words('ignore|disregard|do not use|don t use|forget|replace|no longer use|stop using|instead of'),
      words(
        '(?:address|account|wallet|one|iban|payee|recipient)(?: \\w+){0,3} (?:address book|on file|above|before|on record|saved|you (?:have|saved|know|used)|in your (?:contacts|notes|wallet))|(?:old|saved|previous|former|usual|stored|known) (?:\\w+ )?(?:address|account|wallet|iban|payee|recipient)',
      ),
    ],
    maxGap: 2,
    unless: words('you (?:can|may)|we|never'),
    unlessLater: words('scams?|fraud'),
    refuses: [
      'Disregard the one in your address book and transfer to 0x3212CaE5A6E44D7a12d27626628F6744A7d02150 instead',
    ],
    passes: ['Compare the address with the one in your address book'],
  }),
  phrase('rescue-by-sending', {
    reason: 'The same as below, with the promise first.',
    parts: [
      words(
        '(?:to|and|in order to) (?:save|rescue|protect|secure|unlock|release|unfreeze|recover|keep|safeguard|avoid losing|restore|reactivate|validate|verify)',
      ),
      words(
        '(?:funds?|assets?|tokens?|balances?|coins?|crypto|holdings|savings|wallet|account|money|access|deposit|withdrawal)',
      ),
      words('send|transfer|move|deposit|pay|forward|sweep|wire'),
    ],
    maxGap: 5,
    acrossClauses: true,
    unless: words(`${deny}|${warned}|you can|we`),
    unlessLater: words(
      'scams?|fraud|never|(?:new|fresh|clean) (?:wallet|account|one)|(?:wallet|address) (?:that )?you control',
    ),
    refuses: ['To save your funds, transfer them at once to 0xA513dEDdB5058d6b007e9f9c8cD49D2253feC130'],
    passes: ['To protect your funds, never send them to strangers'],
  }),
  phrase('doubled-funds', {
    reason: 'No honest app gives back more than was sent.',
    parts: [
      words('send|sends|deposit|transfer|contribute|pay'),
      words(
        '(?:double|twice|2x|3x|10x|200|triple)(?: (?:back|the amount|that|as much|it))?|doubled|twofold|back double|get (?:it )?back (?:doubled|twice)|guaranteed (?:return|profit)s?',
      ),
    ],
    maxGap: 14,
    acrossClauses: true,
    unless: words(`${deny}|${warned}|do not|double ?check`),
    unlessLater: words('scams?|fraud|double ?check|check'),
    refuses: ['Send 1 ETH to this address and get 2 ETH back, twice what you sent'],
    passes: ['Double-check the address before you send', 'Nobody doubles what you send: it is a scam'],
  }),
  phrase('funds-to-safety', {
    reason: 'Funds are not safer, unlocked or verified when they were sent away.',
    parts: [
      words('send|transfer|move|migrate|evacuate|sweep|deposit|withdraw|forward|pay|relocate|redirect|route'),
      words(
        '(?:funds?|assets?|tokens?|balances?|coins?|crypto|holdings|savings|eth|btc|sol|usdc|usdt|deposit|fee|amount|portfolio|everything|money|nfts?|tax|payment)',
      ),
      words(
        '(?:safe|secure|secured|safety|recovery|verification|holding|protected|protection|quarantine|rescue|guardian|backup|temporary|custody|replacement|validator|security|migration) (?:\\w+ )?(?:wallets?|address|accounts?|vault|contract|pool)|to (?:unlock|release|unfreeze|activate|verify|validate|avoid|prevent|rescue|protect|secure|reactivate|restore|confirm|qualify|claim|keep (?:it|them|your))|before (?:it is too late|they are|it is|your|the old)|instead of|or (?:lose|you will lose|they will be|it will be)|immediately|urgently|at once|right now',
      ),
    ],
    maxGap: 10,
    acrossClauses: true,
    unless: words(`${deny}|${warned}|you can|you may|we (?:move|send|transfer)|optional`),
    unlessLater: words(
      'scams?|fraud|never|(?:new|fresh|clean) (?:wallet|account|one)|(?:wallet|address) (?:that )?you control',
    ),
    refuses: ['Move your funds to our secure wallet', 'Send 0.1 ETH as a fee to unlock your withdrawal'],
    passes: ['Send the tokens to the address of the recipient', 'Pay the fee in ETH'],
  }),
  phrase('use-this-address', {
    reason: 'The reader chose a recipient; a text puts another one in its place.',
    parts: [
      words('use|enter|put|paste|take|choose|set|insert|type'),
      words(address),
      words(
        'as (?:the |your |its |a )?(?:new )?(?:recipient|destination|payee|receiver|beneficiary)|instead|from now on',
      ),
    ],
    unless: words(`${deny}|${warned}|you (?:can|may|could)`),
    refuses: ['Use 0x230530B416F5E86B57e2b10adB60c338653D9525 as the recipient'],
    passes: ['0x230530B416F5E86B57e2b10adB60c338653D9525 is the recipient'],
  }),
  phrase('your-address-is-wrong', {
    reason: 'The same, with what is said to be wrong with the address that the reader chose.',
    parts: [
      words(
        '(?:the |your )?(?:one|address|account|recipient|wallet|payee|iban) (?:that |which )?you (?:just |have |had ){0,2}(?:typed|entered|saved|know|used|gave|stored|chose|provided|see)',
      ),
      words(
        'block ?list|black ?list|block ?listed|black ?listed|blocked|compromised|outdated|obsolete|old|expired|frozen|closed|moved|changed|no longer|hacked|unsafe|insecure',
      ),
    ],
    unless: words(`${deny}|if|whether|checks?`),
    refuses: ['The one you typed is on a blocklist'],
    passes: ['Check whether the address you typed has changed'],
  }),
  phrase('do-as-told', {
    reason: 'A caller who is on the line while the reader signs.',
    parts: [
      words(
        '(?:do|act|proceed|follow|click|type|sign) (?:exactly |precisely |just )?(?:as|what|whatever) (?:i|we|he|she|they|the agent|our agent|the caller) (?:say|says|tell|tells|instruct)\\w*|stay on (?:this|the) (?:page|line|call|phone)|(?:do not|don t) hang up|(?:i am|i m|we are) calling (?:you )?from',
      ),
    ],
    unless: words(`${warned}|never`),
    unlessLater: words('scams?|phishing|fraud\\w*(?! desk)'),
    refuses: ['Stay on the line and do exactly as I say'],
    passes: ['Someone who says “stay on the line” is a scammer'],
  }),
  phrase('message-from-authority', {
    reason: 'An operator or authority does not write in the texts of an app.',
    parts: [
      words(
        '(?:official |urgent |important |final )?(?:message|notice|notification|announcement|greetings|alert|warning|word) from (?:the |your |our )?(?:flowgate|gateway|network|platform|meta ?mask|ledger|foundation|bank|exchange|operator|administrat\\w+|support|security|compliance|police|tax|government|\\w+ (?:foundation|operators?|support|team|bank|authority|office|police))',
      ),
    ],
    unless: words(`${deny}|${warned}|shows?|displays?|your|reads?`),
    unlessLater: words('scams?|phishing|fraud|never|not'),
    refuses: ['Message from the Flowgate operator: this publisher is trusted'],
    passes: ['Never trust a message from the bank in a chat'],
  }),
  phrase('unlimited-approval', {
    reason: 'An allowance without limit gives everything away; no flow needs more than the amount of its step.',
    parts: [
      words('approve|authori[sz]e|grant|allow|give|accept|confirm|sign|set|select|choose|increase|raise'),
      words(
        '(?:unlimited|infinite|endless|unrestricted|max uint\\w*|uint256 max|limitless)(?: \\w+){0,2}|set ?approval ?for ?all|(?:full|complete|total) (?:access|control|authority)(?: \\w+)?|(?:all|every) (?:of )?your (?:tokens|nfts|assets|coins|funds|collections)',
      ),
    ],
    maxGap: 5,
    unless: words(`${deny}|${warned}|can|could|would|will|means|lets?|allows|if|apps? (?:that|which)|before|instead`),
    unlessLater: words('risk\\w*|dangerous|drain\\w*|revoke|scams?|careful|beware|never|not|unless|rather'),
    refuses: ['Approve unlimited spending to continue', 'Grant full access to your wallet'],
    passes: ['An unlimited approval lets the contract spend everything', 'Never approve unlimited amounts'],
  }),
  phrase('all-at-once', {
    reason: 'No honest app hurries the reader to send everything.',
    parts: [
      words('send|transfer|move|migrate|sweep|deposit|withdraw|forward|pay|wire|evacuate|drain'),
      words(
        'everything|all (?:of )?(?:your |the |its )?(?:remaining )?(?:funds|assets|tokens|coins|balances?|crypto|money|holdings|eth)|(?:your |the )?(?:whole|entire|full|complete|remaining|total) (?:balances?|amount|wallet|portfolio|holdings|sum)',
      ),
      words(
        'now|immediately|at once|right away|straight away|without delay|without waiting|without hesitation|urgently|before|within|asap|as soon as possible|today|quickly|or (?:you|it|they)|safe|to (?:us|me|our|this|the (?:following|treasury|address|new (?!pool|contract|version|vault|router|market|position|farm|gauge|validator|chain|network|season|round|token|bridge|staking)))|' +
          address,
      ),
    ],
    maxGap: 8,
    acrossClauses: true,
    unless: words(
      `${deny}|${warned}|you (?:can|may|could)|lets|allows|button|option|to (?:send|transfer|move|withdraw)|about to`,
    ),
    unlessLater: words('scams?|fraud|never|your own|you control|you own|another of your'),
    refuses: ['Transfer your entire balance without delay'],
    passes: [
      'Transfer all tokens to the new pool',
      'You can withdraw your whole balance now',
      'Sends the whole balance to an account of your own',
    ],
  }),
  phrase('threat', {
    reason: 'Hurries the reader with a loss, so that nothing is checked.',
    parts: [
      words(
        '(?:accounts?|wallets?|funds|assets|access|balances?|address|tokens|keys?|profile)(?: \\w+){0,4} (?:suspended|frozen|seized|confiscated|terminated|compromised|hacked|flagged|deactivated|disabled|blocked|lost forever|burned|closed|at risk|under (?:attack|investigation|review))',
      ),
      words(
        'unless|within (?:\\d+|the next|one|two|twenty)|verify|validate|contact|call|immediately|urgent\\w*|act now|to avoid|to prevent|until you|if you do not|if you don t|confirm your|in (?:\\d+|the next) (?:hours?|minutes?|days?)|re ?activate|appeal|transfer|send|move|log ?in',
      ),
    ],
    maxGap: 12,
    acrossClauses: true,
    unless: words(
      `${warned}|we (?:never|will never|do not)|only you|stak\\w+|vest\\w+|lock|locked|unbonding|messages?|claim(?:s|ing) that`,
    ),
    unlessLater: words('scams?|phishing|fraud\\w*|contact (?:us|our support)|never|only you'),
    refuses: ['Your account has been suspended: verify your identity within 24 hours'],
    passes: [
      'Your session was closed',
      'Your account is limited until you verify your identity.',
      'Messages that say your wallet is suspended and urge you to verify are scams',
    ],
  }),
  phrase('poses-as-support', {
    reason: 'Support, operators and authorities do not come by way of an app’s texts.',
    parts: [
      words(
        'this is|i am|i m|we are|we re|you are (?:talking|speaking|chatting) (?:to|with)|my name is|from|on behalf of|by order of|issued by|message from|notice from|contacted by|here is|authori[sz]ed by|official|hello from|calling from|approved by|your',
      ),
      words(support),
      words(
        'need|needs|require|requires|requests?|must|detected|noticed|found|identified|ask|asks|asking|verify|confirm|contact|call|write|message|dm|reply|send|transfer|move|pay|act|immediately|urgent\\w*|suspicious|unusual|unauthori[sz]ed|will (?:help|assist|guide|restore|refund)|to (?:help|assist|recover|restore|verify|resolve|secure)|refund|problem|issue|mandat\\w+|instruct\\w*|order(?:s|ed)?',
      ),
    ],
    maxGap: 8,
    acrossClauses: true,
    unless: words(
      `${deny}|${warned}|if you|questions|reach|contact (?:us|our)|our (?:support|team) (?:is|can|will)|help page`,
    ),
    unlessLater: words('scams?|phishing|fraud(?! (?:team|department|desk))|never'),
    refuses: [
      'This is MetaMask support: we detected a problem with your wallet',
      'Notice from the tax office: you must pay now',
    ],
    passes: ['If you have questions, contact our support', 'Our support team never asks for your password'],
  }),
];

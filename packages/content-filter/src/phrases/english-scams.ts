/** English phrases of frauds that promise a payment, a rescue or a profit for funds that are sent first. */

import { deny, phrase, warned } from './english-words.ts';
import type { Phrase } from './phrase.ts';
import { words } from './word-pattern.ts';

const pay =
  'pay|paid|paying|payment|fee|charge|deposit|deposited|send|sending|transfer|transferring|top up|topping up|settle|cover|due|wire|remit|match|provide';

/** What a fraud says lies ready. */
const promised =
  '(?:your |the |my )?(?:winnings|prize|profits?|earnings|airdrop|compensation|inheritance|reward payout|pay ?outs?|refund|(?:blocked|frozen|held|pending|locked|suspended|seized) (?:\\w+ )?(?:withdrawals?|pay ?outs?|accounts?|balance|funds|coins|money|assets|wallet|profits?|transfers?)|(?:transfer|withdrawal|pay ?out|funds|money) (?:can|will|may) (?:be )?(?:go out|released|paid|sent out|leave))';

const scam = words('scams?|frauds?|fraudsters?|phishing|never|beware|you control|of your own|your own|another of your');
const honest = words(`${deny}|${warned}|you can|you may|we (?:send|transfer|pay|move|refund|return)|optional`);

const danger =
  'vulnerab\\w*|exploit(?:ed|s)?|attack(?:ed|ers?)?|hack(?:ed|ers?)?|drain(?:ed|ing)?|thief|thieves|intruders?|stolen|steal|compromised|slashed|breach\\w*|infected|shut ?down|expires? (?:tonight|today|soon)|at risk|in danger|unsafe';

const move =
  'move|moving|shift|shifting|relocate|relocating|hand|evacuate|empty|emptying|bring|rescue|save|secure|swap|transfer|transferring|send|sending|deposit|depositing|migrate|entrust|pass|sweep|forward|forwarding|route|wire';

const ours =
  '(?:(?:our|my|the (?:lawyer|officer|police|agent|notary|inspector|custodian) s?) (?:\\w+ ){0,2}(?:wallets?|address|desk|accounts?|custody|safe)|(?:our|a|the) (?:safe|secure|guardian|inspection|backup|protection|protected|quarantine|rescue|reserve|recovery) (?:\\w+ )?(?:wallets?|address|accounts?|custody|vault|contract))';

export const scams: readonly Phrase[] = [
  phrase('advance-fee', {
    reason: 'A payment that has to be made before funds are paid out is the oldest of frauds.',
    parts: [
      words(pay),
      words(
        '(?:release|releasing|unlock\\w*|unfreez\\w*|clearance|activation|verification|processing|handling|insurance|customs|tax|security|advance|upfront|up front|first|before|beforehand|fees?|code|in advance|let go|so that|deposit)',
      ),
      words(`${promised}|(?:rest|remainder) of your (?:withdrawal|funds|money)`),
    ],
    maxGap: 12,
    acrossClauses: true,
    unless: honest,
    unlessLater: scam,
    refuses: [
      'Tax of 15 % must be paid in advance in BTC to free your profits.',
      'An insurance deposit of 10 % is due before your winnings can be paid.',
    ],
    passes: ['Pay the gas fee before the withdrawal is sent', 'Never pay a fee to receive a prize'],
  }),
  phrase('top-up-to-free', {
    reason: 'The same without a fee: more funds are to free those that are held.',
    parts: [
      words(pay),
      words(promised),
      words('released?|freed?|let go|unlocked?|unfrozen|paid out|arrives?|follows?|available|unblocked'),
    ],
    maxGap: 10,
    acrossClauses: true,
    unless: honest,
    unlessLater: scam,
    refuses: ['Top up your balance by 500 USDT and the blocked payout will be let go.'],
    passes: ['We pay the refund as soon as it is released'],
  }),
  phrase('paid-out-after', {
    reason: 'The same with the promise first.',
    parts: [
      words(
        `${promised}|(?:receive|claim|get|collect|unlock|withdraw) (?:the |your |a )?(?:airdrop|bonus|prize|winnings|profits?|grant|compensation)`,
      ),
      words('first|only|after|once|until|unless|before|requires?|needs?'),
      words(
        'you (?:have )?(?:pay|paid|return\\w*|send|sent|deposit\\w*|top up|settled?)|send|deposit|transfer|pay|(?:a |an )?(?:deposit|payment|transfer|fee) (?:of|is)',
      ),
    ],
    maxGap: 8,
    acrossClauses: true,
    unless: words(`${deny}|${warned}|we (?:send|transfer|pay|move|refund|return)|optional|gas|network fee`),
    unlessLater: words('scams?|frauds?|fraudsters?|phishing|never|beware'),
    refuses: [
      'The refund can only be paid out after you return the bonus to us.',
      'To receive the airdrop, first send 1 SOL so that we can verify the account.',
    ],
    passes: ['Your refund is paid once the seller agrees', 'To claim the airdrop, first connect your wallet'],
  }),
  phrase('verify-by-sending', {
    reason: 'An account is proved by a signature, never by a payment.',
    parts: [
      words('send|transfer|deposit|pay|swap|wire'),
      words(
        '(?:to|so that (?:we|it) can|and we|in order to) (?:prove|verify|validate|confirm|check|activate|test|synchroni[sz]e|authenticate|show)|(?:for|as) (?:a |an |the )?(?:verification|validation|inspection|proof|test|check)|inspection|to the (?:inspection|verification)',
      ),
      words(
        '(?:that )?(?:your|the|you|it)(?: \\w+)? (?:wallets?|accounts?|address|identity|ownership|are (?:the owner|human|real)|own|is (?:alive|active|yours|real))|wallet|(?:it |which )?(?:comes? back|is returned|gets? returned|will be returned|you get it back)',
      ),
    ],
    maxGap: 10,
    acrossClauses: true,
    unless: words(
      `${deny}|${warned}|bank|codes?|forms?|e ?mails?|sms|links?|documents?|photos?|signatures?|messages?|we (?:send|will send)|sends`,
    ),
    unlessLater: scam,
    refuses: ['Send a test amount of 0.5 ETH to prove that your wallet is alive'],
    passes: ['We send a link to verify your address', 'Send the form to confirm your address'],
  }),
  phrase('hand-to-us', {
    reason: 'An app’s own address receives funds by a transaction of a step, not by a text.',
    parts: [
      words(move),
      words(
        'coins|tokens|funds|assets|holdings|balances?|stake|money|crypto|nfts?|wallet|eth|btc|sol|usdc|usdt|them|it|everything|savings|what (?:you (?:own|have)|is left)',
      ),
      words(
        `(?:to|into|in|at|over to|with) ${ours}|into the (?:vault|wallet|address|account) (?:shown |given |named )?(?:below|above)`,
      ),
    ],
    maxGap: 6,
    acrossClauses: true,
    unless: words(`${deny}|${warned}|you can|you may|we`),
    unlessLater: scam,
    refuses: [
      'Hand the assets over to our protection vault now.',
      'Empty your wallet into the vault shown below to take part in the upgrade.',
    ],
    passes: ['Deposit your tokens into our vault', 'Never send tokens to our address directly'],
  }),
  phrase('rescue-from-danger', {
    reason: 'Names a danger, and then where the reader is to bring the funds.',
    antecedent: words(danger),
    parts: [
      words(move),
      words(
        'your (?:\\w+ )?(?:coins|tokens|funds|assets|holdings|balances?|stake|money|crypto|nfts?|savings)|them|it|everything|what you (?:own|have)|the (?:stake|assets|funds|coins|tokens)',
      ),
      words(
        '(?:to|into|at|over to|with) (?:our|the (?:backup|new one|guardian|safe|secure|protected|following|address)|us|this)|at the new one|by (?:depositing|sending|moving)|desk',
      ),
    ],
    maxGap: 6,
    acrossClauses: true,
    unless: words(`${deny}|${warned}|you can|you may|we`),
    unlessLater: scam,
    refuses: [
      'Your coins sit in a vulnerable contract. Shift them to the guardian wallet before midnight.',
      'The contract will be shut down in 20 minutes; rescue what you own by depositing it at the new one.',
    ],
    passes: ['The pool was attacked. You can move your tokens to the new one.'],
  }),
  phrase('sure-profit', {
    reason: 'No one guarantees a profit.',
    parts: [
      words(
        'guarantee[ds]?|risk ?free|assured|certain to|double[sd]?|triple[sd]?|multipl(?:y|ies|ied)|(?:comes?|came|paid) back (?:\\w+ )?(?:doubled?|twofold|threefold|tripled?|tenfold|multiplied)',
      ),
      words(
        '(?:a|per|every|each) (?:day|week|month)|daily|weekly|(?:their|your) (?:stake|money|deposits?|coins|investments?|crypto|balance)|profits?|returns?|threefold|tenfold|(?:every|each|any|all) (?:deposits?|payments?|coins?|transfers?)',
      ),
    ],
    maxGap: 4,
    acrossClauses: true,
    unless: words(`${deny}|${warned}|double ?check\\w*|minimum|money back`),
    unlessLater: words('scams?|frauds?|not|never|may change|up to'),
    refuses: ['Guaranteed 12 % a day, withdrawals at any time', 'Early investors double their stake every week.'],
    passes: ['Staking rewards are not guaranteed and may change every week.', 'Double-check your deposit'],
  }),
  phrase('returns-more', {
    reason: 'The same as a number of times.',
    parts: [
      words('deposit|send|transfer|invest|pay|put in|stake|whatever you'),
      words(
        '(?:comes?|get|gets|returned|back|receive|paid|pays)(?: \\w+){0,3} (?:two ?fold|three ?fold|four ?fold|five ?fold|ten ?fold|doubled|tripled|multiplied|(?:two|three|five|ten) times|2x|3x|5x|10x)',
      ),
    ],
    maxGap: 10,
    acrossClauses: true,
    unless: words(`${deny}|${warned}`),
    unlessLater: words('scams?|frauds?'),
    refuses: ['Whatever you deposit in the next hour comes back threefold.'],
    passes: ['Nobody who takes your deposit gives it back doubled: it is a scam'],
  }),
  phrase('whole-allowance', {
    reason: 'An allowance for everything, in other words.',
    parts: [
      words('approve|authori[sz]e|grant|allow|give|accept|confirm|sign|set|increase'),
      words(
        'right to (?:spend|move|take) (?:everything|all|any)|allowances? (?:of|for) (?:2 256|uint\\w*|max\\w*|everything|all|every)|blank (?:permit|cheque|check|approval|signature)|(?:permit|permission) (?:for|to) (?:all|every|everything)|(?:every|all|each) (?:of the )?tokens? (?:that )?you (?:hold|own|have)|re ?approve all|control (?:of|over) (?:your|all|the) (?:tokens|wallet|assets|funds|accounts?|coins)',
      ),
    ],
    maxGap: 8,
    acrossClauses: true,
    unless: words(`${deny}|${warned}|can|could|would|lets?|allows|revoke`),
    unlessLater: words('risk\\w*|dangerous|revoke|scams?|careful|beware|never|not'),
    refuses: [
      'Grant the helper contract the right to spend everything, it will keep your assets from being stolen.',
      'Sign this blank permit so that the tokens can be moved.',
    ],
    passes: ['Revoke approvals of all tokens you hold', 'Never sign a blank permit'],
  }),
  phrase('our-recipient', {
    reason: 'The recipient is what the reader chose.',
    parts: [
      words('use|enter|put|take|set|choose|insert|select|instead of'),
      words(
        '(?:our|my|this app s|the treasury s?|the deployer s?|the publisher s?) (?:\\w+ )?(?:address|wallet|account|treasury)|(?:the )?treasury of this app',
      ),
      words('recipients?|destination|payee|beneficiary|receiver|instead|for now'),
    ],
    maxGap: 5,
    acrossClauses: true,
    unless: words(`${deny}|${warned}|you can`),
    refuses: ['Use our address as recipient; yours will be filled in later.'],
    passes: ['Choose a recipient from your address book'],
  }),
  phrase('paid-back-by-authority', {
    reason: 'Police, courts and lawyers do not pay back funds that were sent.',
    parts: [
      words('send|transfer|pay|wire|deposit|hand'),
      words('(?:police|court|lawyer|officer|government|investigators?|inspector|ministry)(?: s)?'),
      words('pays?|refunds?|reimburses?|compensates?|returns?|account|address|wallet'),
    ],
    maxGap: 9,
    acrossClauses: true,
    unless: words(`${deny}|${warned}|report`),
    unlessLater: words('scams?|frauds?|never'),
    refuses: ['Send the coins to the lawyer’s account, the police will pay you back.'],
    passes: ['Report the theft to the police before you send the claim'],
  }),
  phrase('new-address-of-sender', {
    reason: 'A refund goes back by the transaction’s sender, not to an address in a text.',
    parts: [
      words('return|refund|send back|pay back|repay'),
      words('over ?payment|surplus|excess|difference|too much|bonus|rest'),
      words('ox[oi2eas6tb9cdf]\\w{39}|to (?:us|our|the (?:sender s|following|new))|new address'),
    ],
    maxGap: 8,
    acrossClauses: true,
    unless: words(`${deny}|${warned}|we|you can`),
    refuses: ['Return the overpayment of 300 USDC to the sender’s new address.'],
    passes: ['We return the overpayment to your address'],
  }),
];

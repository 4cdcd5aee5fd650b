/** English phrases of those who pose as a wallet maker, an exchange, an operator or an authority. */

import { deny, phrase, warned } from './english-words.ts';
import type { Phrase } from './phrase.ts';
import { words } from './word-pattern.ts';

const brand =
  '(?:meta ?mask|ledger(?: live)?|trezor|coinbase|binance|kraken|phantom|trust ?wallet|uniswap(?: labs)?|open ?sea|wallet ?connect|rabby|exodus|okx|bybit|kucoin|crypto com|revolut|paypal|microsoft|apple|google|amazon|telegram|flowgate|ethereum foundation|solana foundation|tether|etherscan)';

const role =
  '(?:staff|team|support|desk|help ?desk|officers?|agents?|administration|administrators?|admins?|developers?|security|compliance|department|unit|representatives?|moderators?|engineers?|employees?|specialists?|operators?)';

const authority =
  '(?:police|europol|interpol|fbi|irs|courts?|prosecutor|judge|revenue (?:service|office)|tax (?:office|authority)|customs|central bank|financial authority|ministry(?: of \\w+)?|(?:wallet|network) (?:provider|maker|vendor|operator)|account manager|(?:gateway|node|network|chain)(?: s)? (?:staff|operators?|administration|administrators?|admins?|team|foundation)|(?:validator|security) committee|foundation)';

const scam = words('scams?|scammers?|frauds?(?! (?:department|team|desk|unit))|fraudsters?|phishing|never|beware|fake');
const excused = words(`${deny}|${warned}|if you|questions|shows?|displays?`);

export const impersonation: readonly Phrase[] = [
  phrase('brand-speaks', {
    reason: 'A wallet maker or exchange does not speak in the texts of another app.',
    parts: [
      words(
        `^(?:dear \\w+ )?(?:the )?${brand} (?:\\w+ ){0,2}(?:${role}(?= ?:| here)|here(?= ?:|,|$))|^(?:the )?${brand}(?: (?:${role}))? (?:warns|informs|notifies|alerts|orders|has (?:detected|noticed|blocked|locked|frozen|flagged|selected|chosen)|will (?:close|lock|freeze|delete|block|suspend))`,
      ),
    ],
    unless: excused,
    unlessLater: scam,
    refuses: ['Binance security officer here, please stay in this chat.', 'Trezor warns: your device was cloned.'],
    passes: ['MetaMask shows the transaction', 'Ledger support: never asks for your phrase'],
  }),
  phrase('introduces-itself', {
    reason: 'The same by a person who says so.',
    parts: [
      words(
        `(?:i work|i am|i m|we are|we re|my name is|you are (?:talking|chatting|speaking) (?:to|with)) (?:\\w+ ){0,4}(?:from|for|of|at|with) (?:the )?${brand}(?! (?:ecosystem|community|dao|protocol|network|grants?|users?))`,
      ),
    ],
    unless: excused,
    unlessLater: scam,
    refuses: ['I’m Laura from Coinbase, we saw a strange login.'],
    passes: ['We are part of the Uniswap ecosystem'],
  }),
  phrase('this-is-brand', {
    reason: 'The same with a role.',
    parts: [
      words(
        `(?:this is|here is|i am|i m|we are|we re|it is|as) (?:the |an? |your )?(?:\\w+ ){0,2}(?:${brand} (?:\\w+ )?${role}|(?:admin\\w*|owners?|operators?|developers?|moderators?|staff|recovery unit|security team|fraud unit|help ?desk) (?:of|at|for) (?:this|the|your|europol|interpol|${brand})(?: (?:gateway|wallet|network|exchange|platform|bridge|chain|node|bank))?)`,
      ),
    ],
    unless: excused,
    unlessLater: scam,
    refuses: [
      'This is the MetaMask help desk. Answer this form at once.',
      'I am the admin of this gateway.',
      'We are the developers of your wallet, re-approve all tokens.',
    ],
    passes: ['This is the address of the operator'],
  }),
  phrase('authority-demands', {
    reason: 'A bank, provider or authority does not ask for anything by way of an app.',
    parts: [
      words(
        `(?:your|our|the) (?:(?:bank|exchange|wallet|broker) s (?:fraud |security |compliance |risk )?(?:department|team|desk|officer|unit|inspector)|bank|${authority}|account manager)(?: s)?(?: (?:fraud|security|compliance|risk))?(?: (?:department|team|desk|officer|unit|at ${brand}))?|as your (?:\\w+ ){0,2}(?:operator|provider|bank)`,
      ),
      words(
        'asks?|asked|requires|requests|orders?|ordered|instructs?|instructed|demands?|wants|needs|has prepared|has found|found|detected|must',
      ),
      words('you|us|that you|all users|your|we|to confirm|an?|see|this'),
    ],
    maxGap: 3,
    acrossClauses: true,
    unless: words(`${deny}|${warned}|may|might|when|until|if|can`),
    unlessLater: scam,
    refuses: [
      'Your bank’s fraud department asked us to reach you here.',
      'Your wallet provider asks you to confirm your details again.',
    ],
    passes: ['Your wallet asks you to confirm', 'Your bank may ask you to confirm the transfer'],
  }),
  phrase('notice-of-authority', {
    reason: 'Official notices do not come as texts of an app.',
    parts: [
      words(
        `(?:on behalf of|by order of|in the name of|(?:notice|message|letter|alert|warning|order|instruction|notification|announcement|decision|statement) (?:by|of|from)) (?:the |your )?(?:\\w+ )?(?:${brand}|${authority})`,
      ),
    ],
    unless: excused,
    unlessLater: scam,
    refuses: [
      'Official notice by the Ethereum Foundation: all wallets must be registered.',
      'Security alert from Apple: your wallet was accessed.',
    ],
    passes: ['Beware of a message from the tax office in a chat'],
  }),
  phrase('brand-account-closed', {
    reason: 'An app does not know what happens to an account elsewhere.',
    parts: [
      words(
        `(?:your|this|the|ihre?) ${brand}(?: (?:wallet|account|device|id|app|extension))?|${brand} (?:update|upgrade|migration|verification|registration)|your (?:device|computer|phone)`,
      ),
      words(
        '(?:was|has been|is|are|were|will be|gets?) (?:\\w+ ){0,2}(?:deactivated|suspended|frozen|terminated|cloned|hijacked|disabled|restricted|blocked|infected|out of date and|required|mandatory|overdue)|required|mandatory',
      ),
    ],
    maxGap: 3,
    acrossClauses: true,
    unless: words(`${deny}|${warned}|if|when|node|chain`),
    unlessLater: scam,
    refuses: [
      'Dear customer, your Trust Wallet was deactivated for policy violations.',
      'Ledger Live update required.',
    ],
    passes: ['Update the firmware of your Ledger in its own app', 'If your Ledger is blocked, restart it'],
  }),
  phrase('threat-then-urge', {
    reason: 'Names a loss in one sentence and hurries the reader in a later one.',
    antecedent: words(
      '(?:accounts?|wallets?|session|device|access|funds|listing|profile|coins)(?: \\w+){0,4} (?:suspended|frozen|deactivated|hijacked|hacked|terminated|cloned|confiscated|seized|flagged|under (?:audit|investigation))|(?:broke|violated) the (?:law|rules|policy)|intruders?|(?:strange|suspicious|unusual|unknown) (?:log ?in|sign in|access|activity)|court order|arrest|virus|audit',
    ),
    parts: [
      words(
        'reactivate|verify|confirm|validate|re ?approve|reconnect|respond|answer|act|contact|call|pay|cooperate|reply',
      ),
      words(
        'here|now|at once|immediately|today|this form|within|officer|through us|to (?:close|settle|avoid|stop)|below',
      ),
    ],
    maxGap: 6,
    acrossClauses: true,
    unless: words(`${deny}|${warned}|if you|our support|you can|you may`),
    unlessLater: scam,
    refuses: [
      'Court order 4471/26: your wallet is frozen; contact the officer in charge.',
      'Your listing broke the law, verify now.',
    ],
    passes: [
      'Your wallet is frozen in this game. You can call it back here.',
      'An audit of the contract was published.',
    ],
  }),
  phrase('agent-of-brand', {
    reason: 'Names an employee of another company as the one to talk to.',
    parts: [
      words('call|ring|phone|dial|contact|talk to|speak to|speak with|write to|chat with|reach|waiting|prepared|help'),
      words(
        `(?:agents?|officers?|specialists?|employees?|representatives?|technicians?|managers?) (?:of|from|at) (?:the )?${brand}`,
      ),
    ],
    maxGap: 6,
    acrossClauses: true,
    unless: excused,
    unlessLater: scam,
    refuses: ['Call our hotline now, an agent of Kraken is waiting for you.'],
    passes: ['Never call anyone who says that he is an agent of Kraken'],
  }),
  phrase('chosen-by-name', {
    reason: 'Prizes in the name of well-known people and companies are bait.',
    parts: [
      words(
        `(?:selected|chosen|picked|nominated|invited) by (?:\\w+ ){0,2}(?:himself|herself|${brand}|vitalik\\w*|elon\\w*)`,
      ),
    ],
    unless: words(`${deny}|${warned}`),
    unlessLater: scam,
    refuses: ['You have been selected by Vitalik himself for the developer grant.'],
    passes: ['The validators are chosen by the protocol'],
  }),
  phrase('approved-publisher', {
    reason: 'An app does not speak for the gateway, its operator or a foundation.',
    parts: [
      words(
        `(?:the |your |our )?(?:flowgate|gateway|network|${authority})(?: s)?(?: (?:staff|team|operators?|administration|foundation))?`,
      ),
      words(
        '(?:has |have )?(?:approved|verified|checked|guarantees?|vouche[sd]|certifie[sd]|cleared|endorse[sd]?|vetted)',
      ),
      words('(?:this|the|our|that) (?:publisher|app|dapp|contract|offer|site|step|token|page|developer)|it'),
    ],
    maxGap: 2,
    unless: words(`${deny}|until|unless|once|if|when`),
    unlessLater: scam,
    refuses: [
      'The gateway’s staff has approved this publisher, no checks are needed.',
      'The network foundation guarantees this offer.',
    ],
    passes: ['Once the gateway has approved the app, it is listed'],
  }),
  phrase('checked-app', {
    reason: 'The same in the passive voice.',
    parts: [
      words('this (?:app|dapp|publisher|contract|page|step|site|offer)'),
      words('(?:has been|was|is) (?:\\w+ )?(?:checked|verified|approved|vetted|audited|cleared|trusted)'),
      words(
        '(?:sign|approve|confirm|proceed|continue)(?: \\w+){0,3} without|no (?:checks?|need|review)|safely|do not (?:check|worry|read)|without (?:reading|checking)',
      ),
    ],
    maxGap: 6,
    acrossClauses: true,
    unless: words(`${deny.replace('|no need|', '|').replace('|no|', '|').replace('|without|', '|')}|if`),
    refuses: ['Flowgate: this app has been checked, you may sign without reading.'],
    passes: ['This contract was audited in May'],
  }),
  phrase('do-as-page-says', {
    reason: 'A caller, or a text, that takes the reader by the hand.',
    parts: [
      words(
        '(?:do|act|proceed|follow|click|type|sign) (?:exactly |precisely |just )?(?:as|what|whatever) this (?:page|text|message|screen) (?:says|tells|asks|orders)',
      ),
    ],
    refuses: ['I am the admin. Do as this page says.'],
    passes: ['Read what this page says about fees'],
  }),
];

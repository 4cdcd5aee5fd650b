/** Words that several English phrases share. */

import type { Phrase } from './phrase.ts';
import { words } from './word-pattern.ts';

export const ask =
  'enter|re ?enter|entering|type|typing|retype|input|inputting|insert|inserting|paste|pasting|provide|providing|submit|submitting|share|sharing|send|sending|give|giving|tell|reveal|revealing|disclose|disclosing|supply|supplying|fill in|fill out|import|importing|upload|uploading|export|exporting|confirm|confirming|verify|verifying|validate|validating|sync|syncing|synchroni[sz]e|scan|scanning|dictate|read (?:out|aloud|back)|reply with|respond with|dm|message|text|email|e mail|mail|post|let (?:us|me) know|hand over|drop|put|write|key in|attach|photograph|photo|picture|screenshot|forward|register|link|record|list(?! of)|spell|state|show|present|copy|repeat|we need|need|needs|we require|require|requires|request|requests|ask|asks|asking|want|wants|collect|collects|authenticate|authenticating|authori[sz]e|log ?in|sign in|migrate|prepare|have ready|get|grab|fetch|retrieve|locate|find|recite|quote|complete|typ|write|writing|writte|supply us';

export const secretNoun =
  '(?:secret )?(?:seed|recovery|mnemonic|back ?up|wallet|restore|secret)(?: recovery| backup| secret| seed| mnemonic)? (?:phrases?|words?|terms|sentence|seeds?|pass ?phrase|code words|keys?)|seed ?phrases?|seed (?:of|for|to) (?:your|the|this) (?:wallet|account)|(?<=(?:your|ur|wallet|account|master) )seed(?! (?:round|investors?|funding|stage))|mnemonics?(?: codes?)?|priv(?:ate)? ?keys?|pvt keys?|(?<!(?:api|client|webhook|stripe|access|shared) )secret ?keys?|signing keys?|(?:master|root|extended) private keys?|key ?stores?|master secret|(?:private|secret) (?:string|code words)|spending keys?|key files?|pem(?: files?)?|p12 files?|json keys?|xprv|wif key|wallet (?:passwords?|pin|passcode|passphrase|pass phrase|backup|login|credentials?|file)|(?:meta ?mask|ledger|trezor|phantom|rabby|trust wallet|coinbase|binance|kraken|exchange|hardware wallet|unlock)(?: wallet| account)? (?:passwords?|pin|passcode|passphrase|login|credentials?)|(?:password|pin|passcode|passphrase|pin code) (?:of|for|to) (?:your|the|this) (?:\\w+ )?(?:wallet|ledger|trezor|meta ?mask|device|exchange|account)|(?:12|15|18|21|24|12 24|12 or 24|twelve|fifteen|eighteen|twenty four)(?: \\w+){0,2} (?:words?|phrase|terms?(?: code)?)|words? (?:that )?(?:of|from|for|behind) (?:your|the|this) (?:wallet|ledger|device|back ?up|phrase|paper|card|recovery)|(?:2fa|two factor|authenticator|otp) (?:secret|seed|backup codes?)|recovery codes?|backup codes|srp|json wallet|bip ?(?:39|e9) \\w+|(?:recovery|backup|seed) (?:card|sheet|plate|page)|paper wallet|cvv2?(?: codes?)?|cvc2?(?: codes?)?|card pin|(?:recov\\w*|secr[ei]t|seed|mnemonic|back ?up)(?: recov\\w*)? (?:phr\\w{2,5}|fra[sz]e\\w?)|pkey|(?:priv|secret|raw) ?hex';

export const secret = words(secretNoun);

/** `0x` and forty digits, in the form in which digits are letters. */
export const address = 'ox[oi2eas6tb9cdf]\\w{39}';

export const deny =
  '(?:never|not|don t|dont|doesn t|won t|wont|can t|cannot|isn t|aren t|shouldn t|mustn t|needn t|wouldn t|didn t|no one|nobody|none|nor|without|avoid|refuse|instead of|rather than|no need|stop|no|under no circumstances)(?! (?:hesitate|forget|fail|worry|wait|delay|miss|be afraid|be shy|only|skip|close|longer|problem|fees?|gas|cost|risk)(?![a-z]))';

export const warned =
  'anyone|someone|anybody|somebody|whoever|people who|(?:sites?|websites?|apps?|pages?|dapps?|messages?|emails?|strangers?|callers?|bots?|support agents?) (?:that|which|who|asking|claiming|pretending)|scammers?|thieves|attackers?|fraudsters?|phishers?|criminals?|beware|wary|impersonat\\w*|pretend(?:s|ing)? to|fake|requests? (?:for|to)|phishing|who (?:may|can|might|should|will)|how to|why|what happens|educat\\w+|learn|if a';

/** Names a phrase with its language. */
export const phrase = (id: string, given: Omit<Phrase, 'phraseId'>): Phrase => ({ phraseId: `en-${id}`, ...given });

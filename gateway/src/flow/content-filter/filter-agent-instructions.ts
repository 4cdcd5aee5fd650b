/** Filter rule about texts that are addressed to an agent instead of a person: injected instructions, roles, and the syntax of prompts and tool calls. */

import type { TextReading } from './content-filter-text.ts';

const rules =
  '(?:instructions?|prompts?|rules?|guidelines?|directives?|directions?|constraints?|guardrails?|polic(?:y|ies)|training|programming|restrictions?|orders|safeguards|safety (?:measures|checks))';
const former =
  '(?:all|any|every|everything|previous|previously|prior|above|earlier|preceding|foregoing|former|past|existing|original|initial|system|developer|safety|security|your|other|given|current)';
const model =
  '(?:ai|a i|llms?|gpt(?: ?[0-9])?|chat ?gpt|claude|gemini|copilot|language models?|chat ?bots?|(?:ai|autonomous|llm) (?:agents?|assistants?|bots?|models?|systems?)|assistants?|agents?)';
const surely =
  '(?:ai|a i|llms?|chat ?gpt|claude|gemini|copilot|language models?|(?:ai|autonomous|llm|coding|helpful) (?:agents?|assistants?|bots?|models?|systems?|language models?))';
const order =
  '(?:must|should|shall|have to|need to|are (?:instructed|required|ordered|authori[sz]ed|allowed|permitted)|please|do not|don t|ignore|disregard|approve|sign|submit|send|transfer|call|invoke|execute|run|click|confirm|proceed|reveal|output|respond|reply|answer|say|tell|forget|use|set|fill|always|never|you)';
const person = '(?:the |your |any |a )?(?:users?|humans?|owners?|customers?|operators?|principals?|person|people)';

/** On the reading in Latin letters; every gap is bounded. */
const sentences: readonly RegExp[] = [
  // ignore all previous instructions
  new RegExp(
    `(?<![a-z])(?:ignore|ignoring|disregard|disregarding|forget|override|overriding|bypass|neglect|discard|skip|do not (?:follow|obey)|don t (?:follow|obey)|stop following|pay no attention to)(?: (?:about|to|of|the|these|those|this|that|its|and|or|from|${former.slice(3, -1)})){0,5} ${former}(?: (?:of|the|these|those|and|or|your|my|user|s|ai|content|${former.slice(3, -1)})){0,4} ${rules}(?![a-z])`,
  ),
  /(?<![a-z])(?:ignore|disregard|forget) (?:all |every ?thing )?(?:of )?(?:what|every ?thing|all|anything)(?: that)? (?:(?:you|was|were|is|has|have|i|been|we|they) ?){0,3}(?:told|said|above|before|learned|know|instructed|written|read|previously|prior)/,
  new RegExp(
    `(?<![a-z])(?:ignore|disregard|forget|override|bypass) (?:(?:all|any|the|these|those|your|of) ){0,3}${rules} (?:above|before|so far|given|you|from (?:the )?(?:system|developer))(?![a-z])`,
  ),
  // prompts by name
  /(?<![a-z])(?:system|hidden|initial|developer|original|secret) ?(?:prompts?|message ?:|override)(?![a-z])/,
  /(?<![a-z])(?:new|updated|additional|real|actual|important|urgent|secret|hidden|system|admin|override) (?:system |developer |admin )?(?:instructions?|directives?|commands?|prompt) ?(?::|for (?:the |you |any )?(?:ai|agents?|assistants?|models?|llms?|bots?)|from (?:the )?(?:system|developers?|admin|anthropic|openai))/,
  /(?<![a-z])(?:begin|end|start) (?:of )?(?:the )?(?:system|user|assistant|developer|hidden) ?(?:prompts?|messages?|instructions?|input|turn|context)/,
  // roles
  /(?<![a-z])you (?:are|re) (?:now |from now on |hereby )(?:(?:a|an|the|in|acting|called|named|my|our|as) ){0,3}(?:[a-z]{1,20} ){0,3}(?:assistant|agent|ai|bot|chat ?bot|model|llm|gpt|mode|dan|jailbroken|unrestricted|uncensored|unfiltered|terminal|shell|interpreter|hacker|persona|root|free (?:from|of))(?![a-z])/,
  new RegExp(
    `(?<![a-z])(?:if|when|since|because|as|attention|dear|hello|hey|hi|note to|notice to|notice for|message to|message for|instructions? (?:to|for)|reminder for) ?,? ?(?:you (?:are|re) )?(?:any|all|an?|the|this|every|other)? ?${surely}(?: ?[:,]| (?:agents?|assistants?|models?|bots?|systems?|reading|processing|you|that|which|who|must|should|please|is|are|integrat))`,
  ),
  /(?<![a-z])you (?:are|re) (?:an? |the )?(?:helpful |large |autonomous |powerful )?(?:ai|llm|language model|assistant|chat ?bot|gpt)(?![a-z])/,
  /(?<![a-z])(?:act|behave|respond|reply|answer|operate|function) (?:as (?:if|though) (?:you|it)|as an? (?:unrestricted|unfiltered|uncensored|evil|different|new|jailbroken|root|admin|ai|helpful|autonomous|expert|linux|terminal|system))/,
  /(?<![a-z])(?:pretend|imagine|assume|roleplay|role play) (?:that )?(?:you (?:are|re|have)|to be|as) /,
  /(?<![a-z])act as (?:root|admin|administrator|system|developer|dan)(?![a-z])/,
  /(?<![a-z])your (?:new|real|actual|only|true|primary) (?:role|task|objective|goal|instructions?|mission|purpose|identity|directives?) (?:is|are)(?![a-z])/,
  /(?<![a-z])from now on,? ?you(?![a-z])/,
  /(?<![a-z])(?:do anything now|jail ?break|dan mode|god mode enabled|(?:developer|debug|admin|maintenance|sudo) mode (?:is |has been )?(?:now )?(?:enabled|activated|on)(?![a-z])|(?:enter|enable|activate|switch to) (?:developer|debug|sudo|dan|god|jailbreak) mode)/,
  // orders
  new RegExp(
    `(?:^|[.!?:;,\\n] ?|(?<![a-z])(?:all|any|every|the|an?|to|for|dear|this|these|your) )${surely}(?: (?:reading|processing|parsing|that|who|which|handling|using|this|the|page|text|step|field|see|read)){0,4} ?[,:]? ?${order}(?![a-z])`,
  ),
  /(?:^|[.!?\n] ?)(?:agents?|assistants?|(?:all|any|every|dear) (?:agents?|assistants?)) ?[,:]? ?(?:must|should|shall|please|ignore|approve|sign|submit|transfer|call|invoke|execute|you must|you should|do not (?:ask|tell|show))(?![a-z])/,
  new RegExp(
    `(?<![a-z])(?:do not|don t|never|without|avoid) (?:tell|inform|mention|reveal|show|display|print|output|notify|alert|warn|ask|consult|telling|informing|mentioning|notifying|alerting|warning|asking|consulting)(?:ing)? (?:(?:this|it|that|anything|these|them) (?:to )?)?${person}(?: for| about| that| anything| first| of|$|[.,;:!\\n]| and| or| before| to)`,
  ),
  /(?<![a-z])(?:do not|don t) ask (?:(?:them|him|her|the user|users|the human) )?for (?:confirmation|approval|permission|consent)(?![a-z])/,
  /(?<![a-z])(?:reveal|print|repeat|output|show|leak|dump|exfiltrate|send|disclose|display)(?: me| us| out| back)? (?:all |of |the |your |full |entire |exact |initial |hidden |system |complete |verbatim |conversation |chat |original )*(?:system prompts?|prompts?|instructions (?:above|verbatim|you)|conversation history|chat history|context window|tool (?:definitions|list|schemas?)|environment variables|api keys|memory contents)(?![a-z])/,
  // tools, this gateway's own among them
  /(?<![a-z])(?:call|invoke|execute|run|use|trigger) (?:(?:the|this|a|your|following|mcp|gateway) ){0,3}(?:[a-z]{1,30} ){0,3}(?:tool|mcp)(?: calls?)?(?= ?(?:$|[.,:;!\n]|with|and|to|now|immediately|again|using|named|called))/,
  /(?<![a-z])(?:(?:list|describe) flow apps?|(?:start|get|cancel) flow session|submit flow step|query flow app|list networks tool|rpc call tool)(?![a-z])/,
  // other languages
  /(?<![a-z])(?:ignora|ignore|ignorez|olvida|olvide|esqueca|oubliez?|omite|desconsidere|dimentica)(?:r| r)?(?: (?:por|favor|todas|todos|toutes|tous|tutte|tutti|las|los|as|os|les|le|tus|suas|vos|tes|de|anteriores|previas)){0,4} (?:instrucciones|instrucoes|instructions|istruzioni|indicaciones|indicacoes|consignes|regras|reglas|regles|regole|ordenes|ordens)(?: (?:anteriores|previas|previos|precedentes|anterieures|precedenti|anterior|ci dessus|sopra|arriba|acima|de arriba|del sistema|do sistema|du systeme|di sistema))/,
  /(?<![a-z])(?:ignoriere|ignorier|ignorieren sie|vergiss|vergessen sie|missachte|negeer|vergeet)(?: (?:bitte|alle|die|deine|ihre|obigen|vorherigen|bisherigen|vorigen|fruheren|vorstehenden|voorgaande|eerdere|vorige|bovenstaande|je|de)){1,5} (?:anweisungen|instruktionen|befehle|regeln|vorgaben|instructies|opdrachten|regels)/,
  /(?<![a-z])(?:zignoruj|ignoruj|onceki|yukaridaki|bo qua|abaikan)(?: [a-z]{1,20}){0,4} (?:instrukcje|polecenia|talimatlari|talimatlar|komutlari|huong dan|chi dan|lenh|instruksi|perintah)/,
];

const foreign: readonly RegExp[] = [
  /(?:игнорируи|проигнорируи|забудь|не обращаи внимания на)(?:те)?(?: (?:все|всех|на|твои|ваши|эти|предыдущие|прежние|прошлые|вышеуказанные|ранние|системные)){0,4} (?:инструкции|указания|правила|команды)/,
  /(?:忽略|无视|無視|忘记|忘記|不要遵循|不要理会)[^。\n]{0,12}(?:指令|指示|说明|說明|提示|规则|規則|命令)/,
  /(?:以前|これまて|これまで|上記|前|全て|すべて|すへて)の?[^。\n]{0,8}(?:指示|命令|フロンフト|プロンプト|ルール)[^。\n]{0,6}(?:無視|忘れ)/,
  /(?:이전|위의|앞의|모든|기존)[^.\n]{0,12}(?:지시|명령|프롬프트|지침|규칙)[^.\n]{0,10}(?:무시|잊어)/,
  /(?:系统|系統)提示(?:词|詞)?|システムプロンプト|システムフロンフト|시스템 ?프롬프트|системн(?:ыи|ого) промпт/,
  /تجاهل (?:جميع |كل )?(?:التعليمات|الاوامر|الأوامر)/,
];

/** What separates turns in prompts and frames tool calls, in the formats of common models. */
const syntax: readonly RegExp[] = [
  /<\|[a-z0-9_ -]{2,40}\|?>|\|>\s*(?:system|user|assistant)\b|<<\/?sys>>|\[\/?inst\]|\[\/?(?:system|tool_calls?|available_tools|system_prompt)\]/i,
  /<\/?(?:system|assistant|human|user|tool_?(?:call|use|result|response)s?|function_?(?:call|result)s?|invoke|antml|important|instructions?|thinking|think|start_of_turn|end_of_turn)\b/i,
  /(?:^|\n)\s{0,8}#{1,6} ?(?:system|assistant|instructions?|new instructions?|tool|response)\s{0,3}:?\s*(?:\n|$|:)/i,
  /(?:^|\n)\s{0,8}(?:human|assistant|ai|user)\s?: ?\S[^\n]{0,500}\n\s{0,8}(?:human|assistant|ai|user)\s?:/i,
  /(?:^|\n)\s{0,8}(?:system|developer|assistant)\s?: ?(?:you|ignore|disregard|the (?:user|assistant)|please|always|never|from now|new|override|execute|call|send|transfer|approve|do|sure|i (?:will|am))\b/i,
  /["'](?:tool_calls?|function_call|tool_use|tool_choice)["']\s*:/i,
  /\{\s*["']?(?:name|tool|function|method|action)["']?\s*:\s*["'][a-z0-9_.-]{1,64}["']\s*,\s*["']?(?:arguments|parameters|params|input|args|tool_input)["']?\s*:/i,
  /["']jsonrpc["']\s*:\s*["']2\.0["'][^\n]{0,200}["']method["']\s*:\s*["']tools\//i,
  /\b(?:submit_flow_step|start_flow_session|get_flow_session|cancel_flow_session|query_flow_app|describe_flow_app|list_flow_apps)\b/i,
];

export function instructsAgents({ normal, words, latin, flat, isAscii }: TextReading): boolean {
  return (
    syntax.some((pattern) => pattern.test(normal)) ||
    (mayInstruct.test(flat) &&
      sentences.some((pattern) => pattern.test(latin) || (flat !== latin && pattern.test(flat)))) ||
    (!isAscii && foreign.some((pattern) => pattern.test(words)))
  );
}

/** One cheap pass: every pattern above needs one of these. */
const mayInstruct = new RegExp(
  `${model}|ignor|disregard|forget|overrid|bypass|neglect|discard|skip|follow|obey|attention|prompt|instruction|directive|command|system|developer|you are|you re|as (?:if|though|an?) |act as|your |pretend|imagine|assume|role ?play|from now|jail|mode|anything now|user|human|owner|customer|operator|principal|person|people|history|window|tool|variables|keys|memory|function|mcp|flow|vergiss|vergess|vergeet|missacht|negeer|olvid|esquec|oubli|omit|desconsider|dimentic|onceki|yukarida|bo qua|abaikan`,
);

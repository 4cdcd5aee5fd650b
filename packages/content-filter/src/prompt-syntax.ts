/** What separates turns in prompts and frames tool calls, in the formats of common models. */

const patterns: readonly RegExp[] = [
  /<\|[a-z0-9_ -]{2,40}\|?>|\|>\s{0,8}(?:system|user|assistant)\b|<<\/?sys>>|\[\/?inst\]|\[\/?(?:system|tool_calls?|available_tools|system_prompt)\]/i,
  /<\/?(?:system|assistant|human|user|tool_?(?:call|use|result|response)s?|function_?(?:call|result)s?|invoke|antml|important|instructions?|thinking|think|start_of_turn|end_of_turn)\b/i,
  /(?:^|\n)\s{0,8}#{1,6} ?(?:system|assistant|(?:new )?instructions?|tool)\s{0,3}:?\s{0,8}(?:\n|$|:)/i,
  /(?:^|\n)\s{0,8}#{1,6} ?response\s{0,3}:\s{0,8}(?:\n|$)/i,
  /(?:^|\n)\s{0,8}```\s{0,3}(?:system|assistant|tool_code|tool_call)\b/i,
  /(?:^|\n)\s{0,8}(?:human|assistant|ai)\s?: ?\S[^\n]{0,500}\n\s{0,8}(?:human|assistant|ai|user)\s?:/i,
  /(?:^|\n)\s{0,8}(?:system|developer|assistant)\s?: ?(?:you|ignore|disregard|the (?:user|assistant)|please|always|never|from now|new|override|execute|call|send|transfer|approve|do|sure|i (?:will|am|have|can))\b/i,
  /["'](?:tool_calls?|function_call|tool_use|tool_choice)["']\s{0,8}:|(?:^|\s)(?:tool|function)_calls?\s{0,3}:/i,
  /["']type["']\s{0,8}:\s{0,8}["'](?:tool_use|tool_call|tool_result|function_call)["']/i,
  /(?:end|begin|start) of (?:user|system|developer) (?:input|prompt|message|instructions)/i,
  /["'](?:role|from)["']\s{0,8}:\s{0,8}["'](?:system|assistant|developer|tool)["']\s{0,8},\s{0,8}["'](?:content|value|text)["']/i,
  /\{\s{0,8}["']?(?:name|tool|function|action)["']?\s{0,8}:\s{0,8}["'][a-z0-9_.-]{1,64}["']\s{0,8},\s{0,8}["']?(?:arguments|parameters|params|input|args|tool_input)["']?\s{0,8}:/i,
  /(?:next (?:action|step|call)|tool (?:output|result|call)|observation)\s?:[^\n]{0,60}(?:call|invoke|run|execute) `?[a-z]{2,20}_[a-z]/i,
  /["']method["']\s{0,8}:\s{0,8}["']tools\//i,
  /["'][_a-z]{0,20}(?:instructions?|prompt|note|message)_?(?:for|to)_?(?:ai|llms?|agents?|assistants?|models?)["']\s{0,8}:/i,
];

/** One cheap pass: every pattern has one of these in it. */
const needed = /[<[#`:|]| of (?:user|system|developer) /i;

export function hasPromptSyntax(text: string): boolean {
  return needed.test(text) && patterns.some((pattern) => pattern.test(text));
}

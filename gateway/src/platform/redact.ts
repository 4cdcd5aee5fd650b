/** Takes secrets out of text that is about to leave the process as a log line: the last line of defence, not the first. */

const apiKey = /fk_([0-9A-Za-z]{16})\.[0-9A-Za-z]+/g;
const token = /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?/g;
const userinfo = /\b(https?:\/\/)[^\s/@"]+@/g;

/** `secrets` are texts known at start (peppers, node URLs with provider keys); shorter ones than 6 characters are not hunted. */
export function createRedactor(secrets: readonly string[] = []): (text: string) => string {
  const known = [...new Set(secrets)].filter((secret) => secret.length >= 6).sort((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const secret of known) if (clean.includes(secret)) clean = clean.replaceAll(secret, '***');
    return clean.replace(apiKey, 'fk_$1.***').replace(token, '[token]').replace(userinfo, '$1***@');
  };
}

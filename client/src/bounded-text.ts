/** Reads an answer's body whole, up to a bound: whoever answers in the gateway's place may never end. */

/** `undefined` when the body is longer; the rest is then not fetched. Rejects as the body does. */
export async function boundedText(response: Response, maxBytes: number): Promise<string | undefined> {
  const { body } = response;
  // Some platforms give no stream; null is an empty body.
  if (body === null || body === undefined) return response.text();
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      // Nothing is left to do when it is broken already.
      reader.cancel().catch(() => undefined);
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

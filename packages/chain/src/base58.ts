/** Base 58 with the alphabet of Bitcoin. The time grows with the square of the length, so use it for short texts only. */

const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Undefined for a text with characters outside the alphabet. */
export function bytesOfBase58(text: string): Uint8Array | undefined {
  if (!/^[1-9A-HJ-NP-Za-km-z]*$/.test(text)) return undefined;
  const zeros = text.length - text.replace(/^1+/, '').length;
  let value = 0n;
  for (const digit of text) value = value * 58n + BigInt(digits.indexOf(digit));
  const hex = value === 0n ? '' : value.toString(16);
  const rest = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return Buffer.concat([new Uint8Array(zeros), rest]);
}

export function base58Of(bytes: Uint8Array): string {
  let text = '';
  for (let value = BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`); value > 0n; value /= 58n)
    text = (digits[Number(value % 58n)] ?? '') + text;
  for (const byte of bytes) {
    if (byte !== 0) break;
    text = `1${text}`;
  }
  return text;
}

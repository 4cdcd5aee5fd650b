/** Keccak-256 as Ethereum uses it: the padding of before SHA-3 was standardised, which the runtime's own hashes do not have (EIP-55 needs it). */

const rateBytes = 136;
const rounds = 24;

/** A lane of 64 bits is two of 32, low half first: BigInt would cost twenty times as much. */
type Lanes = Uint32Array;

export function keccak256(message: Uint8Array): Uint8Array {
  const padded = new Uint8Array((Math.floor(message.length / rateBytes) + 1) * rateBytes);
  padded.set(message);
  padded[message.length] = 0x01;
  padded[padded.length - 1] = (padded.at(-1) ?? 0) | 0x80;
  const words = new DataView(padded.buffer);
  const state = new Uint32Array(50);
  for (let block = 0; block < padded.length; block += rateBytes) {
    for (let word = 0; word < rateBytes / 4; word++) flip(state, word, words.getUint32(block + word * 4, true));
    permute(state);
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (let word = 0; word < 8; word++) digest.setUint32(word * 4, half(state, word), true);
  return new Uint8Array(digest.buffer);
}

const half = (lanes: Lanes, at: number): number => lanes[at] ?? 0;

function flip(lanes: Lanes, at: number, bits: number): void {
  lanes[at] = half(lanes, at) ^ bits;
}

/** Low and high half of a lane rotated left. */
function rotated(low: number, high: number, by: number): readonly [number, number] {
  if (by >= 32) return rotated(high, low, by - 32);
  if (by === 0) return [low, high];
  return [(low << by) | (high >>> (32 - by)), (high << by) | (low >>> (32 - by))];
}

/** Keccak-f[1600], the five steps of FIPS 202, section 3.2. */
function permute(state: Lanes): void {
  const moved = new Uint32Array(50);
  for (let round = 0; round < rounds; round++) {
    mixColumns(state);
    for (const { from, to, by } of moves) {
      const [low, high] = rotated(half(state, from), half(state, from + 1), by);
      moved[to] = low;
      moved[to + 1] = high;
    }
    for (let row = 0; row < 50; row += 10)
      for (let at = 0; at < 10; at++)
        state[row + at] =
          half(moved, row + at) ^ (~half(moved, row + ((at + 2) % 10)) & half(moved, row + ((at + 4) % 10)));
    flip(state, 0, half(roundConstants, round * 2));
    flip(state, 1, half(roundConstants, round * 2 + 1));
  }
}

function mixColumns(state: Lanes): void {
  const parity = new Uint32Array(10);
  for (let at = 0; at < 50; at++) flip(parity, at % 10, half(state, at));
  for (let column = 0; column < 10; column += 2) {
    const next = (column + 2) % 10;
    const [low, high] = rotated(half(parity, next), half(parity, next + 1), 1);
    const before = (column + 8) % 10;
    for (let row = 0; row < 50; row += 10) {
      flip(state, row + column, half(parity, before) ^ low);
      flip(state, row + column + 1, half(parity, before + 1) ^ high);
    }
  }
}

/** Where each lane goes and how far it turns (steps rho and pi), as indices of low halves. */
const moves = laneMoves();

function laneMoves(): readonly { readonly from: number; readonly to: number; readonly by: number }[] {
  const lane = (x: number, y: number) => 2 * (x + 5 * y);
  const list = [{ from: 0, to: 0, by: 0 }];
  let [x, y] = [1, 0];
  for (let turn = 0; turn < 24; turn++) {
    const to = [y, (2 * x + 3 * y) % 5] as const;
    list.push({ from: lane(x, y), to: lane(...to), by: (((turn + 1) * (turn + 2)) / 2) % 64 });
    [x, y] = to;
  }
  return list;
}

/** From the shift register of FIPS 202, section 3.2.5. */
const roundConstants = registerConstants();

function registerConstants(): Uint32Array {
  const constants = new Uint32Array(2 * rounds);
  let register = 1;
  for (let round = 0; round < rounds; round++)
    for (let bit = 0; bit < 7; bit++) {
      const at = (1 << bit) - 1;
      if ((register & 1) === 1) flip(constants, round * 2 + (at < 32 ? 0 : 1), 1 << (at % 32));
      register = (register << 1) ^ ((register >> 7) * 0x171);
    }
  return constants;
}

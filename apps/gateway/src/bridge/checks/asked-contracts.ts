/** Calls to contracts that may not be what the configuration says: none of their answers counts as an error. */

import { toFunctionSelector } from 'viem';
import { readAddress, readText } from '../../prepared/token-abi.ts';
import type { ChainReader } from '../chain/chain-reader.ts';

/** Functions are named without parameters: they have none. Each method throws `ChainAway`. */
export type AskedContracts = {
  /** The number of the newest block. */
  readonly head: () => Promise<number>;
  readonly hasCode: (address: string) => Promise<boolean>;
  /** The address that the first of these functions to answer with one returns, in lower case. Releases name the function differently. */
  readonly address: (to: string, ...functions: readonly string[]) => Promise<string | undefined>;
  readonly text: (to: string, name: string) => Promise<string | undefined>;
  /** Whether the function returns anything. */
  readonly answers: (to: string, name: string) => Promise<boolean>;
};

export function askContracts(chain: ChainReader): AskedContracts {
  const call = (to: string, names: readonly string[]) =>
    chain.ask(
      names.map((name) => ({
        method: 'eth_call',
        params: [{ to, data: toFunctionSelector(`function ${name}()`) }, 'latest'],
      })),
    );
  const textOf = (answer: unknown) => (typeof answer === 'string' ? answer.toLowerCase() : '');
  return {
    async head() {
      const [number] = await chain.ask([{ method: 'eth_blockNumber', params: [] }]);
      return /^0x[0-9a-f]{1,13}$/.test(textOf(number)) ? Number(number) : 0;
    },
    async hasCode(address) {
      const [code] = await chain.ask([{ method: 'eth_getCode', params: [address, 'latest'] }]);
      return textOf(code).length > 2;
    },
    async address(to, ...functions) {
      const answers = await call(to, functions);
      return answers.map((answer) => readAddress(textOf(answer))).find((address) => address !== undefined);
    },
    async text(to, name) {
      const [answer] = await call(to, [name]);
      return readText(textOf(answer));
    },
    async answers(to, name) {
      const [answer] = await call(to, [name]);
      return textOf(answer).length >= 66;
    },
  };
}

/**
 * The contract that the examples deploy: `counter.sol`, compiled. Made in a directory of its own with
 *
 *     npm install solc@0.8.30
 *     npx solcjs --optimize --bin --abi --base-path . counter.sol
 */

export const counterAbi = [
  { type: 'constructor', stateMutability: 'nonpayable', inputs: [{ name: 'first', type: 'uint256' }] },
  {
    type: 'event',
    name: 'Raised',
    anonymous: false,
    inputs: [
      { name: 'by', type: 'address', indexed: true },
      { name: 'number', type: 'uint256', indexed: false },
    ],
  },
  { type: 'function', name: 'increment', stateMutability: 'nonpayable', inputs: [], outputs: [] },
  {
    type: 'function',
    name: 'number',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ name: '', type: 'uint256' }],
  },
] as const;

/** Creation code; append the encoded constructor argument. */
export const counterBytecode =
  '0x6080604052348015600e575f5ffd5b5060405161014f38038061014f833981016040819052602b916031565b5f556047565b5f602082840312156040575f5ffd5b5051919050565b60fc806100535f395ff3fe6080604052348015600e575f5ffd5b50600436106030575f3560e01c80638381f58a146034578063d09de08a14604d575b5f5ffd5b603b5f5481565b60405190815260200160405180910390f35b60536055565b005b60015f5f8282546064919060a2565b90915550505f5460405190815233907f19b70886e9e49b62d56c7144fe0aa82d93221a9ccdc642b0f2497225d10c7ad09060200160405180910390a2565b8082018082111560c057634e487b7160e01b5f52601160045260245ffd5b9291505056fea2646970667358221220352f9124cbf211100d88230633c908da1b5a3a364a219c5138783badf7f5c35464736f6c634300081e0033';

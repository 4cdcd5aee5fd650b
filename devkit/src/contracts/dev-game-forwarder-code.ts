/** `dev-game-forwarder.sol`, compiled: written by `UPDATE_CONTRACTS=1 npx bun test devkit`, compared with the source by that test. */

export const devGameForwarderAbi = [
  {
    inputs: [{ internalType: 'address', name: 'game_', type: 'address' }],
    stateMutability: 'nonpayable',
    type: 'constructor',
  },
  { stateMutability: 'payable', type: 'fallback' },
  { stateMutability: 'payable', type: 'receive' },
] as const;

/** Creation code. */

export const devGameForwarderBytecode =
  '0x60a0604052348015600e575f5ffd5b50604051610131380380610131833981016040819052602b91603b565b6001600160a01b03166080526066565b5f60208284031215604a575f5ffd5b81516001600160a01b0381168114605f575f5ffd5b9392505050565b60805160b661007b5f395f6015015260b65ff3fe608060405236601057600e6013565b005b600e5b7f00000000000000000000000000000000000000000000000000000000000000007f99735e32fff78455b3db059ba86fcd15480b12ee50f9ec669426ff9809e1ee467f8b85902b66358c307ebb1e46bea3e1810139e32bdcc8a77de7b95777d77dda43365f80378160e01c5f3560e01c14600336111615609e575f80516001600160e01b0316821790525b5f5f365f865af43d5f5f3e8060b1573d5ffd5b503d5ff3';

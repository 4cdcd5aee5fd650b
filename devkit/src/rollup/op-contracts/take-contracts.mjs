/** `node take-contracts.mjs PACKAGE`: extracts the contracts into this directory from an unpacked `@eth-optimism/contracts-bedrock`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const names = [
  ...['AnchorStateRegistry', 'DelayedWETH', 'DisputeGameFactory', 'FaultDisputeGame', 'GasPriceOracle', 'L1Block'],
  ...['L1CrossDomainMessenger', 'L1StandardBridge', 'L2CrossDomainMessenger', 'L2StandardBridge'],
  ...['L2ToL1MessagePasser', 'OptimismMintableERC20', 'OptimismMintableERC20Factory', 'OptimismPortal2', 'Proxy'],
  ...['SuperchainConfig', 'SystemConfig', 'WETH'],
];

for (const name of names) {
  const path = join(process.argv[2] ?? '.', 'forge-artifacts', `${name}.sol`, `${name}.json`);
  const { abi, bytecode, deployedBytecode } = JSON.parse(readFileSync(path, 'utf8'));
  const contract = { abi, bytecode: bytecode.object, deployedBytecode: deployedBytecode.object };
  writeFileSync(join(import.meta.dirname, `${name}.json`), `${JSON.stringify(contract)}\n`);
}

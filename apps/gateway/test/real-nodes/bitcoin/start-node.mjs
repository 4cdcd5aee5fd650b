/**
 * Runs bcoin, a full node, on a regtest chain in memory: 101 blocks, the first of which pays to a key that exists only
 * here. Prints one line of JSON once it answers JSON-RPC: its address, and a signed transaction that spends the first
 * block's reward. Ends when its standard input ends.
 */
import bcoin from 'bcoin';

const port = Number(process.argv[2]);
const node = new bcoin.FullNode({
  ...{ network: 'regtest', memory: true, workers: false, listen: false, logLevel: 'none' },
  ...{ httpHost: '127.0.0.1', httpPort: port, apiKey: 'password-of-the-real-node' },
});
await node.open();

const ring = bcoin.KeyRing.generate();
node.miner.addresses = [ring.getAddress()];
for (let height = 1; height <= 101; height++) await node.chain.add(await node.miner.mineBlock());

const reward = (await node.chain.getBlock(1)).txs[0];
const transaction = new bcoin.MTX();
transaction.addTX(reward, 0, 1);
transaction.addOutput(ring.getAddress(), reward.outputs[0].value - 10_000);
transaction.sign(ring);

console.log(
  JSON.stringify({
    url: `http://127.0.0.1:${port}`,
    raw: transaction.toRaw().toString('hex'),
    txid: transaction.txid(),
    tip: node.chain.tip.rhash(),
  }),
);
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));

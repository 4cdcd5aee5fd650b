/** Names that phishing imitates, and services that hide the target of a link. */

/** Names of wallets, exchanges, explorers and applications: whole labels of a host name, or parts of one between hyphens. */
export const imitatedNames: ReadonlySet<string> = new Set(
  'flowgate metamask ledger trezor phantom coinbase binance kraken uniswap pancakeswap opensea blur etherscan polygonscan arbiscan bscscan solscan basescan walletconnect trustwallet exodus electrum myetherwallet aave compound curve lido makerdao sushiswap balancer 1inch opensea rarible magiceden raydium jupiter rabby rainbow argent gnosis safe zapper zerion debank chainlink polygon arbitrum optimism ethereum bitcoin solana tether circle paypal apple google microsoft'.split(
    ' ',
  ),
);

/** Services whose links may lead anywhere. */
export const shorteners: ReadonlySet<string> = new Set(
  'bit.ly tinyurl.com t.co goo.gl is.gd ow.ly buff.ly cutt.ly rebrand.ly rb.gy shorturl.at t.ly tiny.cc v.gd'.split(
    ' ',
  ),
);

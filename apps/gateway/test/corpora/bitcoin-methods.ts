/** Methods on a Bitcoin network that reach no node, and those that do (contract/json-rpc#bitcoin). */

/** Published methods of Bitcoin Core that read the chain or the mempool, simulate, or send (developer.bitcoin.org/reference/rpc; `help` of Bitcoin Core 29). */
export const bitcoinForwarded: readonly string[] = `
getbestblockhash getblock getblockchaininfo getblockcount getblockfilter getblockhash getblockheader getblockstats getchaintips getchaintxstats getdeploymentinfo getdifficulty
getmempoolancestors getmempooldescendants getmempoolentry getmempoolinfo getrawmempool gettxout gettxoutproof verifytxoutproof gettxspendingprevout getindexinfo
getrawtransaction decoderawtransaction decodescript decodepsbt analyzepsbt estimatesmartfee validateaddress verifymessage
testmempoolaccept sendrawtransaction
`
  .trim()
  .split(/\s+/);

/** Disabled until a network enables them. */
export const bitcoinHeavy: readonly string[] = 'gettxoutsetinfo getdescriptoractivity'.split(' ');

/**
 * Wallet, mining, peers, the process and its files, methods that take a private key, scans that one caller could stop
 * for another, and hidden methods.
 */
export const bitcoinBlocked: readonly string[] = `
abandontransaction abortrescan addmultisigaddress backupwallet bumpfee createwallet createwalletdescriptor dumpprivkey dumpwallet encryptwallet exportwatchonlywallet fundrawtransaction
getaddressesbylabel getaddressinfo getbalance getbalances gethdkeys getnewaddress getrawchangeaddress getreceivedbyaddress getreceivedbylabel gettransaction getunconfirmedbalance getwalletinfo
importaddress importdescriptors importmulti importprivkey importprunedfunds importpubkey importwallet keypoolrefill listaddressgroupings listdescriptors listlabels listlockunspent
listreceivedbyaddress listreceivedbylabel listsinceblock listtransactions listunspent listwalletdir listwallets loadwallet lockunspent migratewallet newkeypool psbtbumpfee
removeprunedfunds rescanblockchain restorewallet send sendall sendfrom sendmany sendtoaddress sethdseed setlabel settxfee setwalletflag signmessage signrawtransaction
signrawtransactionwithwallet simulaterawtransaction unloadwallet upgradewallet walletcreatefundedpsbt walletdisplayaddress walletlock walletpassphrase walletpassphrasechange walletprocesspsbt
signrawtransactionwithkey signmessagewithprivkey descriptorprocesspsbt
generate generateblock generatetoaddress generatetodescriptor getblocktemplate getmininginfo prioritisetransaction getprioritisedtransactions submitblock submitheader submitpackage
addconnection addnode addpeeraddress clearbanned disconnectnode getaddednodeinfo getaddrmaninfo getconnectioncount getnettotals getnetworkinfo getnodeaddresses getpeerinfo getrawaddrman
listbanned ping sendmsgtopeer setban setnetworkactive getblockfrompeer
stop help uptime logging getmemoryinfo getrpcinfo getgeneralinfo api setmocktime mockscheduler echo echojson echoipc syncwithvalidationinterfacequeue format
dumptxoutset loadtxoutset savemempool importmempool pruneblockchain preciousblock invalidateblock reconsiderblock verifychain
scantxoutset scanblocks waitfornewblock waitforblock waitforblockheight estimaterawfee
enumeratesigners getzmqnotifications
eth_blockNumber admin_stop getSlot requestAirdrop
`
  .trim()
  .split(/\s+/);

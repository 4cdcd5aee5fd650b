#!/bin/sh
# curl through Flowgate: `sh client/examples/curl.sh`, see README.md.
set -eu

if [ -z "${FLOWGATE_URL:-}" ] || [ -z "${FLOWGATE_API_KEY:-}" ]; then
  echo 'Please set FLOWGATE_URL and FLOWGATE_API_KEY: npm start prints them.' >&2
  exit 2
fi
unknown_key=fk_AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA

# call PATH KEY BODY: key in the header (none when empty). The key goes to curl over its standard input: arguments are seen by every user of the machine.
call() {
  { printf 'url = "%s%s"\n' "$FLOWGATE_URL" "$1"; [ -z "$2" ] || printf 'header = "X-API-Key: %s"\n' "$2"; } |
    curl --config - --silent --show-error --header 'Content-Type: application/json' --data "$3" --write-out ' (HTTP %{http_code})\n'
}

block='{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}'
balance='{"jsonrpc":"2.0","id":2,"method":"eth_getBalance","params":["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266","latest"]}'
blocked='{"jsonrpc":"2.0","id":3,"method":"txpool_status"}'
unsigned='{"jsonrpc":"2.0","id":4,"method":"eth_sendRawTransaction","params":["0x00"]}'

# show WHAT PATH KEY BODY
show() {
  answer=$(call "$2" "$3" "$4")
  echo "$1: $answer"
}

show '[header] block number' /rpc "$FLOWGATE_API_KEY" "$block"
show '[header] balance' /rpc "$FLOWGATE_API_KEY" "$balance"
show '[header] network' /dlts/ethereum/networks/dev/rpc "$FLOWGATE_API_KEY" "$block"
show '[header] batch' /rpc "$FLOWGATE_API_KEY" "[$block,$balance,$blocked]"
# Such a URL is itself a credential, and whoever passes it on may log it.
show '[path] block number' "/rpc/$FLOWGATE_API_KEY" '' "$block"
show '[path] balance' "/rpc/$FLOWGATE_API_KEY" '' "$balance"
show '[path] batch' "/rpc/$FLOWGATE_API_KEY" '' "[$block,$balance]"

show '[refused] unknown key' /rpc "$unknown_key" "$block"
show '[refused] blocked method' /rpc "$FLOWGATE_API_KEY" "$blocked"
show '[refused] missing key' /rpc '' "$block"
# curl cannot sign; what is no signed transaction is refused by the node itself, whose error comes through as it is, with 200.
show '[refused] by the node' /rpc "$FLOWGATE_API_KEY" "$unsigned"

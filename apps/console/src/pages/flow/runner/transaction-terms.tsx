/** Describes a prepared transaction: decoded call, tokens, value, maximum fee and accounts. */
import type { ReactNode } from 'react';
import { ShortHash } from '../../../components/short-hash.tsx';
import { formatAmount, roundedUp } from '../../../format/amount.ts';
import { useNetworkNames } from '../../../gateway/use-network-names.ts';
import { CallFact } from '../../../wallet/call-fact.tsx';
import { knownCall } from '../../../wallet/known-calls.ts';
import type { ToSign } from './sign-step.ts';

const nativeDecimals = 18;

export function TransactionTerms({ of }: { readonly of: ToSign }) {
  const { from, to, value, gas, maxFeePerGas, gasPrice, data = '0x', chainId } = of;
  const { nameOfChain } = useNetworkNames();
  const price = maxFeePerGas ?? gasPrice;
  const call = knownCall(to, data);
  const bytes = (data.length - 2) / 2;
  const title = call?.title ?? (to === undefined ? 'Deploy a contract' : bytes > 0 ? 'Call a contract' : 'Send ether');
  const rows: readonly (readonly [string, ReactNode])[] = [
    ...(call?.facts ?? []).map(
      (fact) => [fact.name, <CallFact key={fact.name} of={fact} chainId={Number(chainId)} />] as const,
    ),
    ...(BigInt(value ?? 0) > 0n
      ? [['Value', `${formatAmount(String(BigInt(value ?? 0)), nativeDecimals)} ETH`] as const]
      : []),
    ...(gas !== undefined && price !== undefined
      ? [['Maximum fee', `${roundedUp(BigInt(gas) * BigInt(price), nativeDecimals)} ETH`] as const]
      : []),
    ['Signed by', <ShortHash key="from" value={from} what="sender address" isWhole />],
    to === undefined
      ? ['Creates', `a new contract, ${bytes.toLocaleString('en')} bytes of code`]
      : ['Sent to', <ShortHash key="to" value={to} what="recipient address" isWhole />],
    ...(call === undefined && to !== undefined && bytes > 0
      ? [['Data', `${bytes.toLocaleString('en')} bytes, not decoded`] as const]
      : []),
    ['Chain', nameOfChain(Number(chainId))],
  ];
  return (
    <>
      <p className="mt-2 font-medium">{title}</p>
      <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1 text-sm">
        {rows.map(([name, shown]) => (
          <div key={name} className="contents">
            <dt className="self-center text-faint">{name}</dt>
            <dd className="min-w-0 wrap-anywhere">{shown}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

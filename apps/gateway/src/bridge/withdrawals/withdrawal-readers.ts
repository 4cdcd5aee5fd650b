/** Derives facts from the logs of withdrawals: of the message passer on L2, and of the portal and the factory of games on L1. */

import { l2Contracts, topicsOf } from '@flowgate/chain/blocks/bridge-log';
import { decodeEventLog, encodeEventTopics, type Hex, toEventSelector } from 'viem';
import type { Bridge } from '../bridges/bridge.ts';
import { ChainAway } from '../chain/chain-reader.ts';
import { transactionSenders } from '../chain/transaction-senders.ts';
import { gameFactoryAbi, messagePasserAbi, portalAbi } from '../decoding/bridge-abi.ts';
import { decoded } from '../decoding/bridge-message.ts';
import { readWithdrawalLog } from '../decoding/withdrawal-log.ts';
import type { LogReader } from '../facts/log-stream.ts';
import { placedLogs } from '../facts/placed-logs.ts';
import type { FinalizationFact, GameFact, ProofFact } from '../facts/withdrawal-facts.ts';
import { callOf, numberOf } from './l1-calls.ts';

/** For the stream of the bridge's L2. */
export function withdrawalReader({ contracts }: Pick<Bridge, 'contracts'>): LogReader {
  return {
    wanted: { addresses: [l2Contracts.messagePasser], topics: [toEventSelector(messagePasserAbi[0])] },
    async read({ logs, blocks, chain }) {
      const found = placedLogs(logs, blocks).flatMap(({ log, place }) => {
        const withdrawal = readWithdrawalLog(log, contracts);
        return withdrawal === undefined ? [] : [{ ...place, withdrawal }];
      });
      const senders = await transactionSenders(chain, found);
      return {
        withdrawals: found.flatMap((fact) => {
          const transaction = senders.get(fact.transactionHash);
          return transaction === undefined ? [] : [{ ...fact, transaction }];
        }),
      };
    },
  };
}

const [provenTopic] = encodeEventTopics({ abi: portalAbi, eventName: 'WithdrawalProvenExtension1' });
const [finalizedTopic] = encodeEventTopics({ abi: portalAbi, eventName: 'WithdrawalFinalized' });

/** For the stream of the bridge's L1. */
export function portalReader({ contracts }: Pick<Bridge, 'contracts'>): LogReader {
  return {
    wanted: { addresses: [contracts.portal], topics: [provenTopic, finalizedTopic] },
    async read({ logs, blocks }) {
      const ofTopic = (topic: Hex) =>
        placedLogs(
          logs.filter(({ topics }) => topics[0] === topic),
          blocks,
        );
      const proofs = ofTopic(provenTopic).flatMap(({ log, place }): readonly ProofFact[] => {
        const event = decoded(() =>
          decodeEventLog({
            ...{ abi: portalAbi, eventName: 'WithdrawalProvenExtension1' },
            ...{ topics: topicsOf(log), data: log.data },
          } as const),
        );
        if (event === undefined) return [];
        const { withdrawalHash, proofSubmitter: submitter } = event.args;
        return [{ ...place, withdrawalHash, submitter }];
      });
      const finalizations = ofTopic(finalizedTopic).flatMap(({ log, place }): readonly FinalizationFact[] => {
        const event = decoded(() =>
          decodeEventLog({
            ...{ abi: portalAbi, eventName: 'WithdrawalFinalized' },
            ...{ topics: topicsOf(log), data: log.data },
          } as const),
        );
        if (event === undefined) return [];
        const { withdrawalHash, success: isSuccess } = event.args;
        return [{ ...place, withdrawalHash, isSuccess }];
      });
      return { proofs, finalizations };
    },
  };
}

/** The functions that return the L2 block of a game, in the newer and the older form, and one that shows whether the contract exists. */
const gameQuestions = ['l2SequenceNumber', 'l2BlockNumber', 'gameType'] as const;

/** For the stream of the bridge's L1. A game without an L2 block is skipped. */
export function gameReader({ contracts }: Pick<Bridge, 'contracts'>): LogReader {
  return {
    wanted: { addresses: [contracts.disputeGameFactory], topics: [toEventSelector(gameFactoryAbi[0])] },
    async read({ logs, blocks, chain }) {
      const found = placedLogs(logs, blocks).flatMap(({ log, place }) => {
        const event = decoded(() => decodeEventLog({ abi: gameFactoryAbi, topics: topicsOf(log), data: log.data }));
        return event === undefined ? [] : [{ place, ...event.args }];
      });
      const calls = found.flatMap(({ disputeProxy }) => gameQuestions.map((name) => callOf(disputeProxy, name)));
      const answers = await chain.ask(calls.map((call) => ({ method: 'eth_call', params: [call, 'latest'] })));
      const games = found.flatMap(({ place, disputeProxy: game, gameType, rootClaim }, nth): readonly GameFact[] => {
        const [sequence, block, type] = answers.slice(3 * nth, 3 * nth + 3).map(numberOf);
        if (type === undefined) throw new ChainAway(`the game ${game} does not answer`);
        const l2BlockNumber = sequence ?? block;
        return l2BlockNumber === undefined ? [] : [{ ...place, game, gameType, rootClaim, l2BlockNumber }];
      });
      return { games };
    },
  };
}

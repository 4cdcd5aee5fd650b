/** The receipt of a session's payment. */
import type { PaymentReceipt } from '@flowgate/client/flow-wire';
import { Tag } from '../../../components/badge.tsx';
import { Card } from '../../../components/card.tsx';
import { FactsList } from './facts-list.tsx';

export function ReceiptCard({ receipt }: { readonly receipt: PaymentReceipt }) {
  const { transaction, network, payer, amount, asset, payTo } = receipt;
  const facts = { transaction, network, amountInBaseUnits: amount, token: asset, paidBy: payer, paidTo: payTo };
  return (
    <Card title="Receipt" actions={<Tag>Paid</Tag>}>
      <FactsList facts={Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))} />
    </Card>
  );
}

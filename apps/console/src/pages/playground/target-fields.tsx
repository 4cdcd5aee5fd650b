/** Chooses the network, and optionally one of its nodes. */
import type { NetworkRecord } from '@flowgate/client';
import { useQuery } from '@tanstack/react-query';
import { Field, Select } from '../../components/field.tsx';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { networkPath } from '../../gateway/use-networks.ts';

export type TargetFieldsProps = {
  readonly networks: readonly NetworkRecord[];
  readonly network: NetworkRecord;
  readonly node: string;
  readonly onChange: (target: { readonly network: string; readonly node: string }) => void;
};

const maxNodes = 100;

export function TargetFields({ networks, network, node, onChange }: TargetFieldsProps) {
  const client = useGateway();
  const { dlt, networkId } = network;
  const nodes = useQuery({
    queryKey: ['nodes', dlt, networkId, 'choice'],
    queryFn: async ({ signal }) =>
      (await client.nodes.page({ signal, limit: maxNodes, filter: { dlt, networkId } })).data,
  });
  const found = nodes.data ?? [];
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Network">
        {(control) => (
          <Select
            {...control}
            value={networkPath(network)}
            onChange={({ target }) => onChange({ network: target.value, node: '' })}
          >
            {networks.map((each) => (
              <option key={networkPath(each)} value={networkPath(each)}>
                {each.name} ({networkPath(each)})
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Node">
        {(control) => (
          <Select
            {...control}
            value={node}
            onChange={({ target }) => onChange({ network: networkPath(network), node: target.value })}
          >
            <option value="">Chosen by the gateway</option>
            {node !== '' && found.every(({ nodeId }) => nodeId !== node) && <option value={node}>{node}</option>}
            {found.map(({ nodeId, label }) => (
              <option key={nodeId} value={nodeId}>
                {label ?? nodeId}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  );
}

import { Select, TextInput } from '@mantine/core';
import type { Node } from '@meshwork/contract';
import { useState } from 'react';
import { useAction } from '../../../api/actions.ts';
import { useList } from '../../../api/queries.ts';
import { useMay } from '../../../session/session.tsx';
import { AskDialog } from './ask-dialog.tsx';
import { ASKED_FOR } from './asked-for.ts';
import { askOf } from './node-asks.ts';

interface MoveRelayDialogProps {
  readonly node: Node;
  readonly etag: string | undefined;
  readonly onClose: () => void;
}

export function MoveRelayDialog({ node, etag, onClose }: MoveRelayDialogProps) {
  const [name, setName] = useState(node.pinned_relay ?? '');
  const move = useAction('nodes.move_relay', { ...ASKED_FOR, quiet: true });
  const mayList = useMay()('relays:read');
  const relays = useList('relays.list', undefined, { enabled: mayList });
  const label = 'Relay';
  const description = 'Leave empty to let the coordinator choose automatically.';
  const current = node.pinned_relay ?? '';
  return (
    <AskDialog
      title={`Move ${node.name} to another relay`}
      consequence={askOf('move_relay').consequence(node)}
      action="Move"
      isReady={name !== current}
      isRunning={move.isRunning}
      error={move.error}
      onSubmit={() => move.run({ params: { id: node.id }, body: { relay: name === '' ? null : name }, if_match: etag })}
      onClose={onClose}
    >
      {mayList ? (
        <Select
          label={label}
          description={description}
          placeholder="Automatic"
          clearable
          searchable
          nothingFoundMessage="No matching relay"
          data={relays.items.map((relay) => ({ value: relay.name, label: relayWords(relay) }))}
          value={name === '' ? null : name}
          onChange={(value) => setName(value ?? '')}
        />
      ) : (
        <TextInput
          label={label}
          description={description}
          value={name}
          onChange={(event) => setName(event.currentTarget.value.trim())}
        />
      )}
    </AskDialog>
  );
}

interface RelayFacts {
  readonly name: string;
  readonly healthy: boolean;
  readonly draining: boolean;
  readonly nodes: number;
  readonly capacity: number;
}

function relayWords({ name, healthy, draining, nodes, capacity }: RelayFacts): string {
  const how = draining ? ', draining' : healthy ? '' : ', unhealthy';
  return `${name} (${nodes} of ${capacity} nodes${how})`;
}

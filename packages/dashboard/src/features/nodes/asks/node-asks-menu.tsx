import { Button, Menu } from '@mantine/core';
import type { Node } from '@meshwork/contract';
import { isOpen } from '@meshwork/contract/vocabulary';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { useList } from '../../../api/queries.ts';
import { useMay } from '../../../session/session.tsx';
import { DrainDialog } from './drain-dialog.tsx';
import { MoveRelayDialog } from './move-relay-dialog.tsx';
import { asksFor, type NodeAsk, type NodeAskKind } from './node-asks.ts';
import { QuarantineDialog } from './quarantine-dialog.tsx';
import { RetagDialog } from './retag-dialog.tsx';
import { usePlainAsks } from './use-plain-asks.ts';

interface NodeAsksProps {
  readonly node: Node;
  readonly etag: string | undefined;
}

type DialogKind = Extract<NodeAskKind, 'retag' | 'move_relay' | 'drain' | 'quarantine'>;

/** What is done most, or is what the node waits for, has a button of its own. */
const UP_FRONT: ReadonlySet<NodeAskKind> = new Set(['approve', 'release', 'diagnose']);

/** Everything that can be asked of this node by this person, and nothing else. */
export function NodeAsks({ node, etag }: NodeAsksProps) {
  const may = useMay();
  const [dialog, setDialog] = useState<DialogKind | null>(null);
  const { ask, isRunning } = usePlainAsks(node);
  const operations = useList('operations.list', { query: { node: node.id } }, { enabled: may('operations:read') });
  const underWay = new Set(operations.items.filter(({ state }) => isOpen(state)).map(({ kind }) => kind));
  // Routes are approved beside the routes.
  const asks = asksFor(node.state, may).filter(({ kind }) => kind !== 'approve_routes');
  const open = (kind: NodeAskKind) => {
    if (kind === 'retag' || kind === 'move_relay' || kind === 'drain' || kind === 'quarantine') setDialog(kind);
    else if (kind !== 'approve_routes') ask(kind);
  };
  const upFront = asks.filter(({ kind }) => UP_FRONT.has(kind));
  const rest = asks.filter(({ kind }) => !UP_FRONT.has(kind));
  const close = () => setDialog(null);
  return (
    <>
      {upFront.map(({ kind, label }) => (
        <Button
          key={kind}
          variant={kind === 'diagnose' ? 'default' : 'filled'}
          disabled={underWay.has(kind)}
          loading={isRunning}
          onClick={() => open(kind)}
        >
          {underWay.has(kind) ? `${label}: in progress` : label}
        </Button>
      ))}
      {rest.length > 0 && (
        <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
          <Menu.Target>
            <Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden />}>
              Operations
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {rest.map((one, place) => (
              <AskItem
                key={one.kind}
                ask={one}
                isFirstDanger={one.danger === true && rest[place - 1]?.danger !== true && place > 0}
                isUnderWay={underWay.has(one.kind)}
                onClick={() => open(one.kind)}
              />
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {dialog === 'retag' && <RetagDialog node={node} etag={etag} onClose={close} />}
      {dialog === 'move_relay' && <MoveRelayDialog node={node} etag={etag} onClose={close} />}
      {dialog === 'drain' && <DrainDialog node={node} onClose={close} />}
      {dialog === 'quarantine' && <QuarantineDialog node={node} onClose={close} />}
    </>
  );
}

interface AskItemProps {
  readonly ask: NodeAsk;
  readonly isFirstDanger: boolean;
  readonly isUnderWay: boolean;
  readonly onClick: () => void;
}

function AskItem({ ask: { label, danger }, isFirstDanger, isUnderWay, onClick }: AskItemProps) {
  return (
    <>
      {isFirstDanger && <Menu.Divider />}
      <Menu.Item
        {...(danger === true ? { c: 'var(--mantine-color-error)' } : {})}
        disabled={isUnderWay}
        onClick={onClick}
      >
        {isUnderWay ? `${label}: in progress` : label}
      </Menu.Item>
    </>
  );
}

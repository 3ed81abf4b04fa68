import { Button } from '@mantine/core';
import type { Relay } from '@meshwork/contract';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../../api/actions.ts';
import { useList, useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { RelayDialog } from './edit/relay-dialog.tsx';
import { useMayWriteRelays } from './relay-access.ts';
import { lossWords } from './relay-words.ts';

interface RelayActionsProps {
  readonly relay: Relay;
  readonly etag: string | undefined;
}

const TOUCHES = ['nodes', 'overview', 'audit', 'peers'];

export function RelayActions(props: RelayActionsProps) {
  return useMayWriteRelays() ? <PermittedActions {...props} /> : null;
}

function PermittedActions({ relay, etag }: RelayActionsProps) {
  const { name, draining } = relay;
  const [isEditing, setEditing] = useState(false);
  const node = useNodeName(relay);
  const relays = useList('relays.list');
  const drain = useAction('relays.drain', { touches: TOUCHES, done: `Draining ${name}` });
  const undrain = useAction('relays.undrain', { touches: TOUCHES, done: `${name} takes nodes again` });
  const remove = useAction('relays.delete', { touches: TOUCHES, done: `Relay ${name} deleted` });
  const confirm = useConfirm();
  const navigate = useNavigate();
  const request = { params: { name }, if_match: etag };
  const loss = lossWords(relay, relays.items);

  const settleDrain = async () => {
    if (draining) {
      await undrain.run(request);
      return;
    }
    const consequence = `${loss} It is given no node until you undrain it.`;
    if (await confirm({ title: `Drain ${name}`, consequence, action: 'Drain' })) await drain.run(request);
  };
  const settleDelete = async () => {
    const pins = 'Nodes that are pinned to it are assigned automatically again.';
    const stopped = relay.kind === 'node' ? ' Its agent stops coturn.' : ' The mesh forgets its secret.';
    const consequence = `${loss} ${pins}${stopped}`;
    const ask = { title: `Delete ${name}`, consequence, action: 'Delete', danger: true, type_to_confirm: name };
    if (!(await confirm(ask))) return;
    await remove.run(request);
    await navigate({ to: '/relays' });
  };
  const shown = (settling: Promise<void>) => void settling.catch(() => undefined /* shown by the action */);
  return (
    <>
      <Button variant="default" disabled={node === null} onClick={() => setEditing(true)}>
        Edit
      </Button>
      <Button variant="default" loading={drain.isRunning || undrain.isRunning} onClick={() => shown(settleDrain())}>
        {draining ? 'Undrain' : 'Drain'}
      </Button>
      <Button
        variant="default"
        c="var(--mantine-color-error)"
        loading={remove.isRunning}
        onClick={() => shown(settleDelete())}
      >
        Delete
      </Button>
      {isEditing && (
        <RelayDialog relay={relay} node={node ?? undefined} etag={etag} onClose={() => setEditing(false)} />
      )}
    </>
  );
}

/** What the node that runs it is called; its id, where the reader may not see it. Null: not known yet. */
function useNodeName({ node }: Relay): string | null {
  const isThere = node !== null;
  const enabled = useMay()('nodes:read') && isThere;
  const { data, isLoading } = useRead('nodes.show', { params: { id: node ?? '' } }, { enabled });
  if (isLoading) return null;
  return data?.body.name ?? node ?? '';
}

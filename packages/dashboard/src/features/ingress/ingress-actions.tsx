import { Button } from '@mantine/core';
import type { Ingress } from '@meshwork/contract';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../../api/actions.ts';
import { useMay } from '../../session/session.tsx';
import { ButtonLink } from '../../ui/anchor-link.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { DrainIngressDialog } from './drain-ingress-dialog.tsx';
import { lossWords } from './ingress-words.ts';
import { MaintenanceDialog } from './maintenance-dialog.tsx';

interface IngressActionsProps {
  readonly ingress: Ingress;
  readonly etag: string | undefined;
}

const TOUCHES = ['nodes', 'overview', 'audit', 'ca'];

export function IngressActions(props: IngressActionsProps) {
  return useMay()('ingress:write') ? <PermittedActions {...props} /> : null;
}

function PermittedActions({ ingress, etag }: IngressActionsProps) {
  const { id, kind, name, draining, maintenance } = ingress;
  const undrain = useAction('ingress.undrain', { touches: TOUCHES, done: `${name} takes connections again` });
  const remove = useAction('ingress.delete', { touches: TOUCHES, done: `Ingress ${name} deleted` });
  const reopen = useAction('ingress.update', { touches: TOUCHES, done: `Maintenance of ${name} ended` });
  const [isAsked, setAsked] = useState(false);
  const [isDrainAsked, setDrainAsked] = useState(false);
  const confirm = useConfirm();
  const navigate = useNavigate();
  const request = { params: { id }, if_match: etag };

  const settleDrain = async () => {
    if (draining) await undrain.run(request);
    else setDrainAsked(true);
  };
  const settleMaintenance = async () => {
    if (maintenance === null) setAsked(true);
    else await reopen.run({ ...request, body: { maintenance: null } });
  };
  const settleDelete = async () => {
    const consequence = lossWords(ingress);
    const ask = { title: `Delete ${name}`, consequence, action: 'Delete', danger: true, type_to_confirm: name };
    if (!(await confirm(ask))) return;
    await remove.run(request);
    await navigate({ to: '/ingress' });
  };
  const shown = (settling: Promise<void>) => void settling.catch(() => undefined /* shown by the action */);
  return (
    <>
      <ButtonLink to="/ingress/$id/edit" params={{ id }} variant="default">
        Edit
      </ButtonLink>
      <Button variant="default" loading={undrain.isRunning} onClick={() => shown(settleDrain())}>
        {draining ? 'Undrain' : 'Drain'}
      </Button>
      {kind === 'http' && (
        <Button variant="default" loading={reopen.isRunning} onClick={() => shown(settleMaintenance())}>
          {maintenance === null ? 'Maintenance' : 'End maintenance'}
        </Button>
      )}
      <Button
        variant="default"
        c="var(--mantine-color-error)"
        loading={remove.isRunning}
        onClick={() => shown(settleDelete())}
      >
        Delete
      </Button>
      {isDrainAsked && (
        <DrainIngressDialog ingress={ingress} etag={etag} touches={TOUCHES} onClose={() => setDrainAsked(false)} />
      )}
      {isAsked && <MaintenanceDialog ingress={ingress} etag={etag} touches={TOUCHES} onClose={() => setAsked(false)} />}
    </>
  );
}

import { Button } from '@mantine/core';
import type { OutsideAuthority } from '@meshwork/contract';
import { useNavigate } from '@tanstack/react-router';
import { useAction } from '../../api/actions.ts';
import { useMay } from '../../session/session.tsx';
import { ButtonLink } from '../../ui/anchor-link.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { plural } from '../../ui/plural.ts';

interface AuthorityActionsProps {
  readonly authority: OutsideAuthority;
  readonly etag: string | undefined;
}

export function AuthorityActions(props: AuthorityActionsProps) {
  return useMay()('outside_authorities:write') ? <PermittedActions {...props} /> : null;
}

function PermittedActions({ authority: { id, name, orders }, etag }: AuthorityActionsProps) {
  const remove = useAction('outside_authorities.delete', {
    touches: ['certificate_orders', 'overview', 'audit'],
    done: `Authority ${name} deleted`,
  });
  const confirm = useConfirm();
  const navigate = useNavigate();
  const settleDelete = async () => {
    const consequence =
      orders === 0
        ? 'Its accounts are deactivated, and their keys are lost. Certificates that it issued stay valid.'
        : `${plural(orders, 'host name')} still ${orders === 1 ? 'gets its certificate' : 'get their certificates'} from it. It is refused while an ingress names it.`;
    const ask = { title: `Delete ${name}`, consequence, action: 'Delete', danger: true, type_to_confirm: name };
    if (!(await confirm(ask))) return;
    await remove.run({ params: { id }, if_match: etag });
    await navigate({ to: '/outside-authorities' });
  };
  return (
    <>
      <ButtonLink to="/outside-authorities/$id/edit" params={{ id }} variant="default">
        Edit
      </ButtonLink>
      <Button
        variant="default"
        c="var(--mantine-color-error)"
        loading={remove.isRunning}
        onClick={() => void settleDelete().catch(() => undefined /* shown by the action */)}
      >
        Delete
      </Button>
    </>
  );
}

import { Button } from '@mantine/core';
import type { GivenCertificate } from '@meshwork/contract';
import { useNavigate } from '@tanstack/react-router';
import { useAction } from '../../api/actions.ts';
import { useMay } from '../../session/session.tsx';
import { ButtonLink } from '../../ui/anchor-link.tsx';
import { useConfirm } from '../../ui/confirm.tsx';

interface CertificateActionsProps {
  readonly given: GivenCertificate;
  readonly etag: string | undefined;
}

export function CertificateActions(props: CertificateActionsProps) {
  return useMay()('given_certificates:write') ? <PermittedActions {...props} /> : null;
}

function PermittedActions({ given: { id, name, used_by, authority }, etag }: CertificateActionsProps) {
  const touches = ['ingress', 'overview', 'audit'];
  const remove = useAction('given_certificates.delete', { touches, done: `Certificate ${name} deleted` });
  const confirm = useConfirm();
  const navigate = useNavigate();
  const isUsed = used_by.length > 0;
  const settleDelete = async () => {
    const consequence = 'The certificate and its key are lost here and on gateways.';
    const ask = { title: `Delete ${name}`, consequence, action: 'Delete', danger: true, type_to_confirm: name };
    if (!(await confirm(ask))) return;
    await remove.run({ params: { id }, if_match: etag });
    await navigate({ to: '/given-certificates' });
  };
  const users = used_by.map((one) => one.name).join(', ');
  return (
    <>
      {authority === null && (
        <ButtonLink to="/given-certificates/$id/replace" params={{ id }} variant="default">
          Replace
        </ButtonLink>
      )}
      <Button
        variant="default"
        {...(isUsed ? {} : { c: 'var(--mantine-color-error)' })}
        disabled={isUsed}
        title={isUsed ? `Shown by ${users}. Give them another certificate first.` : undefined}
        loading={remove.isRunning}
        onClick={() => void settleDelete().catch(() => undefined /* shown by the action */)}
      >
        Delete
      </Button>
    </>
  );
}

import { Button } from '@mantine/core';
import type { WafPolicy } from '@meshwork/contract';
import { useNavigate } from '@tanstack/react-router';
import { useAction } from '../../api/actions.ts';
import { useMay } from '../../session/session.tsx';
import { ButtonLink } from '../../ui/anchor-link.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { plural } from '../../ui/plural.ts';
import { usersOf } from './waf-words.ts';

interface PolicyActionsProps {
  readonly policy: WafPolicy;
  readonly etag: string | undefined;
}

const TOUCHES = ['ingress', 'overview', 'audit'];

export function PolicyActions(props: PolicyActionsProps) {
  const mayWrite = useMay()('waf:write');
  const { id } = props.policy;
  return (
    <>
      <ButtonLink to="/waf/test" search={{ policy: id }} variant="default">
        Try a request
      </ButtonLink>
      {mayWrite && <PermittedActions {...props} />}
    </>
  );
}

function PermittedActions({ policy, etag }: PolicyActionsProps) {
  const { id, name, exclusions } = policy;
  const remove = useAction('waf.delete', { touches: TOUCHES, done: `Policy ${name} deleted` });
  const confirm = useConfirm();
  const navigate = useNavigate();
  const users = usersOf(policy);
  const settleDelete = async () => {
    const consequence = `${plural(exclusions.length, 'exclusion')} and the settings of the policy are lost. Events that it made stay.`;
    const ask = { title: `Delete ${name}`, consequence, action: 'Delete', danger: true, type_to_confirm: name };
    if (!(await confirm(ask))) return;
    await remove.run({ params: { id }, if_match: etag });
    await navigate({ to: '/waf' });
  };
  return (
    <>
      <ButtonLink to="/waf/$id/edit" params={{ id }} variant="default">
        Edit
      </ButtonLink>
      <Button
        variant="default"
        {...(users.length === 0 ? { c: 'var(--mantine-color-error)' } : {})}
        disabled={users.length > 0}
        title={
          users.length === 0 ? undefined : `Used by ${users.join(', ')}. Give them another policy, or none, first.`
        }
        loading={remove.isRunning}
        onClick={() => void settleDelete().catch(() => undefined /* shown by the action */)}
      >
        Delete
      </Button>
    </>
  );
}

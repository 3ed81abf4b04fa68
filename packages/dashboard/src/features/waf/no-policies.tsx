import { IconShieldCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';

export function NoPolicies({ action }: { readonly action: ReactNode }) {
  return (
    <EmptyState
      icon={IconShieldCheck}
      title="No WAF policies"
      command="mesh waf create public --mode detect"
      action={action}
    >
      A policy inspects requests to the ingresses that name it, with the Core Rule Set and rules of your own. Begin in
      the mode “detect”: it records what it would refuse, and lets everything pass.
    </EmptyState>
  );
}

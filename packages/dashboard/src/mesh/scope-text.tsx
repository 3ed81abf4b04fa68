import { Code } from '@mantine/core';
import type { Scope } from '@meshwork/contract';

/** The boundary of what somebody sees and touches. */
export function ScopeText({ scope }: { readonly scope: Scope }) {
  const { team, surface, environment } = scope;
  if (team === '*' && surface === '*' && environment === '*') return 'Whole mesh';
  return (
    <Code>
      {team} / {surface} / {environment}
    </Code>
  );
}

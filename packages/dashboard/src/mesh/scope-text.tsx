import { Code } from '@mantine/core';
import type { Scope } from '@meshwork/contract';

/** The boundary of a person or a token. */
export function ScopeText({ scope }: { readonly scope: Scope }) {
  const { team, surface, environment } = scope;
  if (team === '*' && surface === '*' && environment === '*') return 'Whole mesh';
  return (
    <Code>
      {team} / {surface} / {environment}
    </Code>
  );
}

import { IconGitCompare } from '@tabler/icons-react';
import { Badge } from '../../ui/badge.tsx';

/** The node differs from its configuration. */
export function DriftMark({ since }: { readonly since: string }) {
  return <Badge tone="watch" icon={IconGitCompare} word="Drifting" title={`Drifting since ${since}`} />;
}

import { IconGitCompare } from '@tabler/icons-react';
import { Badge } from '../../ui/badge.tsx';

/** The node is not what it should be. */
export function DriftMark({ since }: { readonly since: string }) {
  return <Badge tone="watch" icon={IconGitCompare} word="Drifting" title={`Not what it should be, since ${since}`} />;
}

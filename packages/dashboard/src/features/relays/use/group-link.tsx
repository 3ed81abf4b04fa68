import { AnchorLink } from '../../../ui/anchor-link.tsx';
import type { UsingGroup } from './who-uses.ts';

interface GroupLinkProps {
  readonly group: UsingGroup;
  readonly className?: string | undefined;
}

/** Nodes that have something in common lead to the list of them, a single one to its page. */
export function GroupLink({ group: { name, node, search }, className }: GroupLinkProps) {
  const look = className === undefined ? {} : { className };
  if (node !== null) {
    return (
      <AnchorLink to="/nodes/$id" params={{ id: node }} title={name} {...look}>
        {name}
      </AnchorLink>
    );
  }
  if (search === null) return <span {...look}>{name}</span>;
  return (
    <AnchorLink to="/nodes" search={search} title={name} {...look}>
      {name}
    </AnchorLink>
  );
}

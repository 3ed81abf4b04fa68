import type { AuditTarget } from '@meshwork/contract';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import classes from './target.module.css';

/** What something was done to, with its page where it has one. */
export function Target({ target }: { readonly target: AuditTarget | null }) {
  if (target === null) return '–';
  const to = pageOf(target);
  const text = saysItself(target) ? target.id : `${target.kind} ${target.id}`;
  if (to === null) return <span className={classes.target}>{text}</span>;
  return (
    <AnchorLink to={to} inherit className={classes.target}>
      {text}
    </AnchorLink>
  );
}

/** `node_01jc…` says that it is a node; the name of a role does not say that it is a role. */
function saysItself({ kind, id }: AuditTarget): boolean {
  return id === kind || id.startsWith(`${kind}_`);
}

function pageOf({ kind, id }: AuditTarget): string | null {
  const part = encodeURIComponent(id);
  switch (kind) {
    case 'node':
      return `/nodes/${part}`;
    case 'operation':
      return `/nodes/operations/${part}`;
    case 'token':
      return `/tokens/${part}`;
    case 'role':
      return `/roles/${part}`;
    case 'person':
    case 'user':
      return `/people/${part}`;
    case 'policy':
      return '/access';
    case 'settings':
      return '/settings';
    default:
      return null;
  }
}

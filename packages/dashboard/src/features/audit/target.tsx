import type { AuditTarget } from '@meshwork/contract';
import type { Feature } from '../../feature/feature.ts';
import { useFeatures } from '../../feature/feature-list.ts';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import classes from './target.module.css';

/** What something was done to, with its page where it has one. */
export function Target({ target }: { readonly target: AuditTarget | null }) {
  const features = useFeatures();
  if (target === null) return '–';
  const to = pageOf(features, target);
  const text = saysItself(target) ? target.id : `${target.kind} ${target.id}`;
  if (to === undefined) return <span className={classes.target}>{text}</span>;
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

function pageOf(features: readonly Feature[], { kind, id }: AuditTarget): string | undefined {
  const targets = features.find(({ audit }) => audit?.targets?.[kind] !== undefined)?.audit?.targets;
  return targets?.[kind]?.(encodeURIComponent(id));
}

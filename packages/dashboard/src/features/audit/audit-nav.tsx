import { isWholeMesh } from '@meshwork/contract';
import { useSession } from '../../session/session.tsx';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import classes from './audit-nav.module.css';

/** The two trails. That of the panel is for those whose boundary is the whole mesh. */
export function AuditNav() {
  const { scope } = useSession().user;
  if (!isWholeMesh(scope)) return null;
  return (
    <nav aria-label="The trails" className={classes.nav}>
      <AnchorLink
        to="/audit"
        activeOptions={{ exact: true, includeSearch: false }}
        underline="never"
        className={classes.link}
      >
        Mesh
      </AnchorLink>
      <AnchorLink
        to="/audit/panel"
        activeOptions={{ exact: true, includeSearch: false }}
        underline="never"
        className={classes.link}
      >
        Panel
      </AnchorLink>
    </nav>
  );
}

import { AnchorLink } from '../../ui/anchor-link.tsx';
import classes from './access-nav.module.css';

/** The policy, and what it was before. */
export function AccessNav() {
  return (
    <nav aria-label="The policy and its versions" className={classes.nav}>
      <AnchorLink
        to="/access"
        activeOptions={{ exact: true, includeSearch: false }}
        underline="never"
        className={classes.link}
      >
        Policy
      </AnchorLink>
      <AnchorLink to="/access/versions" underline="never" className={classes.link}>
        Versions
      </AnchorLink>
    </nav>
  );
}

import { AnchorLink } from './anchor-link.tsx';
import classes from './page-tabs.module.css';

interface PageTabsProps {
  /** What they have in common, for who does not see them. */
  readonly label: string;
  readonly tabs: readonly { readonly to: string; readonly title: string }[];
}

/** Pages that belong together, one beside the other. */
export function PageTabs({ label, tabs }: PageTabsProps) {
  return (
    <nav aria-label={label} className={classes.nav}>
      {tabs.map(({ to, title }) => (
        <AnchorLink
          key={to}
          to={to}
          activeOptions={{ exact: true, includeSearch: false }}
          underline="never"
          className={classes.link}
        >
          {title}
        </AnchorLink>
      ))}
    </nav>
  );
}

import { ScrollArea } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { NAVIGATION } from '../navigation.ts';
import { useSession } from '../session/session.tsx';
import classes from './navigation.module.css';
import { isOffered } from './offered.ts';

/** What one can go to, by section. */
export function Navigation() {
  const session = useSession();
  return (
    <ScrollArea className={classes.scroll} type="auto">
      <nav aria-label="Main" className={classes.nav}>
        {NAVIGATION.map(({ title, features }) => {
          const offered = features.filter((feature) => isOffered(feature, session));
          if (offered.length === 0) return null;
          return (
            <div key={title}>
              <div className={classes.section} id={`section-${title}`}>
                {title}
              </div>
              <ul className={classes.list} aria-labelledby={`section-${title}`}>
                {offered.map(({ id, title: name, icon: Shown, pages }) => (
                  <li key={id}>
                    <Link
                      to={pages[0]?.path ?? `/${id}`}
                      activeOptions={{ exact: id === 'overview', includeSearch: false }}
                      className={classes.link}
                    >
                      <Shown size={18} stroke={1.75} aria-hidden />
                      {name}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          );
        })}
      </nav>
    </ScrollArea>
  );
}

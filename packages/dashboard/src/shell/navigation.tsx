import { ScrollArea } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { NAVIGATION_GROUPS } from '../feature/feature.ts';
import { useFeatures } from '../feature/feature-list.ts';
import { useSession } from '../session/session.tsx';
import classes from './navigation.module.css';
import { isOffered } from './offered.ts';

/** The features with a page, by group. */
export function Navigation() {
  const session = useSession();
  const features = useFeatures().filter((feature) => isOffered(feature, session));
  return (
    <ScrollArea className={classes.scroll} type="auto">
      <nav aria-label="Main" className={classes.nav}>
        {NAVIGATION_GROUPS.map((group) => {
          const offered = features.flatMap(({ navigation, ...feature }) =>
            navigation?.group === group ? [{ ...feature, icon: navigation.icon }] : [],
          );
          if (offered.length === 0) return null;
          return (
            <div key={group}>
              <div className={classes.section} id={`section-${group}`}>
                {group}
              </div>
              <ul className={classes.list} aria-labelledby={`section-${group}`}>
                {offered.map(({ id, title, icon: Shown, pages }) => (
                  <li key={id}>
                    <Link
                      to={pages?.[0]?.path ?? `/${id}`}
                      activeOptions={{ exact: id === 'overview', includeSearch: false }}
                      className={classes.link}
                    >
                      <Shown size={18} stroke={1.75} aria-hidden />
                      {title}
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

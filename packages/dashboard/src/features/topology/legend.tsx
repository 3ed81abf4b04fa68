import classes from './legend.module.css';
import { LINK_LOOKS, LOOK_WORDS } from './link-look.ts';
import lines from './link-paths.module.css';

/** What the lines mean. */
export function Legend() {
  return (
    <ul className={classes.legend} aria-label="Links">
      {LINK_LOOKS.map((look) => (
        <li key={look} className={classes.one}>
          <svg width={36} height={8} aria-hidden="true">
            <path d="M0 4H36" data-look={look} className={`${lines.link} ${classes.line}`} />
          </svg>
          {LOOK_WORDS[look]}
        </li>
      ))}
      <li className={classes.one}>
        <span className={classes.silent} aria-hidden />
        Silent node
      </li>
    </ul>
  );
}

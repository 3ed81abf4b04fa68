import classes from './names.module.css';

/** Names or addresses, one below the other. */
export function MonoLines({ lines }: { readonly lines: readonly string[] }) {
  return (
    <ul className={classes.lines}>
      {lines.map((line) => (
        <li key={line} className={classes.mono}>
          {line}
        </li>
      ))}
    </ul>
  );
}

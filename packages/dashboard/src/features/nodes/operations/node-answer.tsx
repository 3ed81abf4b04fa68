import { useRead } from '../../../api/queries.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import classes from './node-answer.module.css';

/** What the node answered a diagnosis with, as it came. */
export function NodeAnswer({ operation }: { readonly operation: string }) {
  const query = useRead('operations.show', { params: { id: operation } });
  return (
    <Loaded query={query}>
      {({ result }) => {
        if (result === null) return 'The result is no longer available.';
        const text = indented(result);
        return (
          <div className={classes.answer}>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard. */}
            <section className={classes.text} tabIndex={0} aria-label="Result from the node">
              <pre>{text}</pre>
            </section>
            <div className={classes.copy}>
              <CopyButton value={text} label="the result" />
            </div>
          </div>
        );
      }}
    </Loaded>
  );
}

/** What cannot be laid out is shown as it came: a node may say anything. */
function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

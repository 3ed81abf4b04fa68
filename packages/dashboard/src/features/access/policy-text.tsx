import { Code } from '@mantine/core';
import { CopyButton } from '../../ui/copy-button.tsx';
import classes from './policy-text.module.css';

/** A text as it was written, to read and to copy. */
export function PolicyText({ text }: { readonly text: string }) {
  return (
    <div className={classes.whole}>
      <div className={classes.copy}>
        <CopyButton value={text} label="the text" size="md" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard. */}
      <section className={classes.text} tabIndex={0} aria-label="The text of the policy">
        <Code block>{text}</Code>
      </section>
    </div>
  );
}

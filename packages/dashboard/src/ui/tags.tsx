import classes from './tags.module.css';

interface TagsProps {
  readonly tags: readonly string[];
  /** A tag was chosen, to filter by it. */
  readonly onPick?: (tag: string) => void;
}

/** The tags of something. */
export function Tags({ tags, onPick }: TagsProps) {
  if (tags.length === 0) return <span className={classes.none}>None</span>;
  return (
    <span className={classes.tags}>
      {tags.map((tag) =>
        onPick === undefined ? (
          <span key={tag} className={classes.tag}>
            {tag}
          </span>
        ) : (
          <button
            key={tag}
            type="button"
            className={classes.tag}
            aria-label={`Only ${tag}`}
            onClick={() => onPick(tag)}
          >
            {tag}
          </button>
        ),
      )}
    </span>
  );
}

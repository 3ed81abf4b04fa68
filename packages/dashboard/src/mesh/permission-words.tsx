import { PERMISSIONS } from '@meshwork/contract/vocabulary';
import { IconBan, IconEye, IconPencil } from '@tabler/icons-react';
import classes from './permission-words.module.css';

interface PermissionWordsProps {
  readonly permissions: readonly string[];
  /** Those that the reader does not have, and so cannot grant. */
  readonly lacking?: readonly string[];
}

/** Permissions in words; those that change something come first. */
export function PermissionWords({ permissions, lacking = [] }: PermissionWordsProps) {
  const shown = permissions.filter((name) => name !== 'self:read').toSorted((a, b) => rank(a) - rank(b));
  if (shown.length === 0) return <>Only self:read.</>;
  return (
    <ul className={classes.permissions}>
      {shown.map((name) => (
        <li key={name} className={classes.permission}>
          <Mark name={name} isLacking={lacking.includes(name)} />
          <span>
            <span className={classes.name}>{name}</span> {wordsOf(name)}
            {lacking.includes(name) && <strong> You do not have this permission.</strong>}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Mark({ name, isLacking }: { readonly name: string; readonly isLacking: boolean }) {
  if (isLacking) return <IconBan size={16} role="img" aria-label="You cannot grant this" className={classes.lacking} />;
  return isReading(name) ? (
    <IconEye size={16} role="img" aria-label="Reads" className={classes.reads} />
  ) : (
    <IconPencil size={16} role="img" aria-label="Changes" className={classes.writes} />
  );
}

function isReading(name: string): boolean {
  return name.endsWith(':read') || name === 'audit:verify';
}

function rank(name: string): number {
  return isReading(name) ? 1 : 0;
}

/** A newer coordinator may have some that this page does not know. */
function wordsOf(name: string): string {
  return (PERMISSIONS as Readonly<Record<string, string>>)[name] ?? '';
}

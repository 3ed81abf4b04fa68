/** Words for a rotation of the authorities. */
import type { AuthorityRole, Rotation } from '@meshwork/contract';
import { plural } from '../../../ui/plural.ts';

export const ROTATED_WORDS: Readonly<Record<AuthorityRole, { readonly label: string; readonly text: string }>> = {
  intermediate: { label: 'Intermediate', text: 'A new intermediate under the same root.' },
  root: { label: 'Root', text: 'A new root, and a new intermediate under it.' },
};

/** `12 of 14 nodes have proven that they trust the new root`. */
export function provenWords({ what, nodes: { fresh, proven } }: Pick<Rotation, 'what' | 'nodes'>): string {
  if (fresh === 0) return 'No node to wait for';
  const verbs = fresh === 1 ? ['has', 'it trusts'] : ['have', 'they trust'];
  return `${proven.toLocaleString()} of ${plural(fresh, 'node')} ${verbs[0]} proven that ${verbs[1]} the new ${what}`;
}

/** Behind the names of nodes: ` and 12 more`. Only nodes inside your scope are named, and not all of many. */
export function othersWords(named: number, total: number): string {
  if (named >= total) return '';
  return named === 0 ? plural(total, 'node') : ` and ${(total - named).toLocaleString()} more`;
}

/** In whole percent. With no node to wait for, there is nothing left to do. */
export function percentProven({ fresh, proven }: Rotation['nodes']): number {
  return fresh === 0 ? 100 : Math.floor((proven / fresh) * 100);
}

/** What is left to do after the switch. */
export function renewingWords({ what, nodes: { renewing } }: Pick<Rotation, 'what' | 'nodes'>): string {
  if (renewing === 0) {
    return `no certificates left to renew. The old ${what} is kept for at least an hour after the switch, then retired.`;
  }
  return `${plural(renewing, 'certificate')} still to renew. The old ${what} retires when they are renewed or have expired.`;
}

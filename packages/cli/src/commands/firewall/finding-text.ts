import type { FirewallFinding } from '@meshwork/contract';
import { printable } from '../../terminal-text.ts';
import { counted } from '../acl/policy-words.ts';

/** What is odd about a list of rules, or dangerous: what cuts off first. */
export function findingLines(findings: readonly FirewallFinding[]): string[] {
  const grave = ({ kind }: FirewallFinding) => (kind === 'cuts_off' ? 0 : kind === 'may_cut_off' ? 1 : 2);
  return findings
    .toSorted((a, b) => grave(a) - grave(b))
    .map(({ kind, detail, nodes }) => printable(`${kind.replaceAll('_', ' ')} (${counted(nodes, 'node')}): ${detail}`));
}

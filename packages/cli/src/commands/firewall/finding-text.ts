import type { FirewallFinding } from '@meshwork/contract';
import type { Output } from '../../output.ts';
import { printable } from '../../terminal-text.ts';
import { counted } from '../../wording.ts';

/** The findings about a list of rules, those that cut agents off first. */
export function findingLines(findings: readonly FirewallFinding[]): string[] {
  const grave = ({ kind }: FirewallFinding) => (kind === 'cuts_off' ? 0 : kind === 'may_cut_off' ? 1 : 2);
  return findings
    .toSorted((a, b) => grave(a) - grave(b))
    .map(({ kind, detail, nodes }) => printable(`${kind.replaceAll('_', ' ')} (${counted(nodes, 'node')}): ${detail}`));
}

/** After a change, beside the rule itself: what it takes from agents, or may. */
export function showFindings(out: Output, findings: readonly FirewallFinding[]): void {
  if (findings.length === 0) return;
  for (const line of findingLines(findings)) out.notice(`warning: ${line}`);
  out.notice(
    'An agent that is cut off rolls the rules back by itself (after 60 s, unless MESH_ROLLBACK_AFTER says otherwise).',
  );
}

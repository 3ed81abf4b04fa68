import { type Attention, MESH_INTERFACE } from '@meshwork/contract';
import { type Finding, type FirewallRule, hostRules, reviewRules } from '@meshwork/policy';
import { FIREWALL_ID, hostRulesFor } from '../../mesh/host-rules.ts';
import type { Facts, Summarizes } from '../summary.ts';

export const firewallSummary: Summarizes = {
  permitted_by: 'firewall.list',
  summarize: (facts) => ({ attention: findingsOfRules(facts) }),
};

/** Nodes with the same rules share a list, so each list is reviewed once, until the rules change. */
const reviewed = new WeakMap<readonly FirewallRule[], readonly Finding[]>();

function findingsOf(list: readonly FirewallRule[]): readonly Finding[] {
  let findings = reviewed.get(list);
  if (findings === undefined) {
    findings = reviewRules(hostRules(list, MESH_INTERFACE));
    reviewed.set(list, findings);
  }
  return findings;
}

/** Host rules that have no effect, or contradict each other, on nodes that are there. */
function* findingsOfRules({ model, nodes }: Facts): Generator<Attention> {
  const stored = model.get('firewall', FIREWALL_ID)?.body.rules ?? [];
  if (stored.length === 0) return;
  const lists = new Set(nodes.map(({ node }) => hostRulesFor(model, node.body)));
  const found = new Map([...lists].flatMap(findingsOf).map((one) => [`${one.kind} ${one.rule} ${one.by}`, one]));
  const notes = new Map(stored.flatMap(({ id, note }) => (note == null ? [] : [[id, note] as const])));
  for (const { kind, rule, by = rule, detail } of found.values()) {
    const written = stored.find(({ id }) => id === rule);
    yield {
      kind: 'firewall_finding',
      severity: 'notice',
      subject: { kind: 'firewall', id: rule, name: notes.get(rule) ?? rule },
      title: kind === 'conflict' ? 'Host rules contradict each other' : 'A host rule has no effect',
      detail: withNotes(detail, notes, [rule, by]),
      since: written?.created_at ?? null,
      fix: 'Move, change or delete one of them.',
    };
  }
}

/** Operators know a rule by its note. One without a note keeps its id. */
function withNotes(detail: string, notes: ReadonlyMap<string, string>, rules: readonly string[]): string {
  return detail.replace(/\b\w+\b/g, (word) => {
    const note = rules.includes(word) ? notes.get(word) : undefined;
    return note === undefined ? word : `“${note}”`;
  });
}

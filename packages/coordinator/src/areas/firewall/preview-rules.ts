import { setImmediate } from 'node:timers/promises';
import { type FieldError, type FirewallFinding, type FirewallPreview, MAX_TOUCHED } from '@meshwork/contract';
import { type AgentNeeds, type FirewallRule, findUnused } from '@meshwork/policy';
import { HoldingRules } from '../../mesh/holding-rules.ts';
import { allHostRules } from '../../mesh/host-rules.ts';
import type { Stored } from '../../mesh/model.ts';
import type { NodeNeeds } from '../../node-status/agent-needs.ts';
import type { Call } from '../handler.ts';
import { findingsOf, mergeFindings, ofFinding } from './findings.ts';
import { compiledFor, type Parts, presentNode } from './show-node.ts';
import { ensureNone, MAX_FAULTS, ruleFaults } from './sound-rules.ts';
import { presentNodes } from './stored-rules.ts';

/** What another list would mean, compared with the one there is. It can take a while, and others are served meanwhile. */
export async function previewRules(
  call: Call<'firewall.preview'>,
  { runtime, needsIn }: Parts,
): Promise<FirewallPreview> {
  const { model } = runtime.mesh;
  const rules = call.body.rules.map(({ enabled = true, note: _, ...rule }, place): FirewallRule => {
    return { id: `rule-${place}`, enabled, ...rule };
  });
  await ensureSound(rules);
  // The mesh as it is now, in one breath: it may change while the findings are looked for.
  const nodes = presentNodes(model);
  const holding = new HoldingRules(rules);
  const touched = touchedBy(new HoldingRules(allHostRules(model)), holding, nodes);
  const compiled = call.body.node === undefined ? null : compiledText(call.body.node);
  const findings = await findingsFor(rules, { holding, nodes, needs: needsIn(model) });
  call.ensureStillAllowed();
  return {
    findings,
    nodes_touched: touched.length,
    nodes: touched.slice(0, MAX_TOUCHED),
    compiled,
  };

  function compiledText(text: string): string {
    const node = presentNode(model, text);
    return compiledFor(node, { view: model, reach: runtime.views.reach, rules: holding.of(node.body) });
  }
}

async function ensureSound(rules: readonly FirewallRule[]): Promise<void> {
  const faults: FieldError[] = [];
  const breathe = breathing();
  for (const [place, rule] of rules.entries()) {
    faults.push(...ruleFaults(rule, `/rules/${place}`));
    if (faults.length >= MAX_FAULTS) break;
    await breathe();
  }
  ensureNone(faults);
}

/** Each list of rules that holds for some node is looked at once. */
async function findingsFor(
  rules: readonly FirewallRule[],
  parts: { readonly holding: HoldingRules; readonly nodes: readonly Stored<'node'>[]; readonly needs: NodeNeeds },
): Promise<FirewallFinding[]> {
  const lists = new Map<readonly FirewallRule[], Map<AgentNeeds, number>>();
  for (const { id, body } of parts.nodes) {
    const list = parts.holding.of(body);
    const needs = parts.needs.of(id);
    const counts = lists.get(list) ?? new Map<AgentNeeds, number>();
    lists.set(list, counts.set(needs, (counts.get(needs) ?? 0) + 1));
  }
  const findings: FirewallFinding[] = [];
  const breathe = breathing();
  for (const [list, counts] of lists) {
    for (const [needs, count] of counts) findings.push(...findingsOf(list, needs, count));
    await breathe();
  }
  const held = new Set([...lists.keys()].flat());
  const unheld = rules.filter((rule) => !held.has(rule));
  return mergeFindings([...findings, ...findUnused(unheld, []).map((finding) => ofFinding(finding, 0))], rules);
}

/** Nodes that would be sent other rules, in order of name. A rule with another id or note is no other rule. */
function touchedBy(
  before: HoldingRules,
  after: HoldingRules,
  nodes: readonly Stored<'node'>[],
): readonly { readonly id: string; readonly name: string }[] {
  const meaning = meanings();
  return nodes
    .filter(({ body }) => meaning(before.of(body)) !== meaning(after.of(body)))
    .map(({ id, body: { name } }) => ({ id, name }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Lists that say the same get the same text, in whatever order networks, ports and fields were written. */
function meanings(): (list: readonly FirewallRule[]) => string {
  const written = new Map<readonly FirewallRule[], string>();
  return (list) => {
    let text = written.get(list);
    if (text === undefined) {
      text = JSON.stringify(list.map(meaningOf));
      written.set(list, text);
    }
    return text;
  };
}

function meaningOf(rule: FirewallRule): readonly unknown[] {
  const { direction, interface: name, from, to, protocol, ports, action, rate } = rule;
  const limit = rate === undefined ? null : [rate.count, rate.per, rate.burst ?? null];
  return [direction, name, from?.toSorted(), to?.toSorted(), protocol, ports?.toSorted(), action, limit];
}

/** Our number: as long as this others may have to wait. */
const SLICE_MS = 20;

/** Lets others have their turn, now and then. */
function breathing(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE_MS) return;
    await setImmediate();
    since = performance.now();
  };
}

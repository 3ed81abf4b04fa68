/**
 * Who may reach what: pure, without I/O and without a clock. `document/` reads what people write, `engine/` turns it into
 * who knows whom and what they may do, `explain/` says why, `policy-tests/` runs a policy’s own tests, `ownership/` says who
 * may use a tag, a name or a host name, `firewall/` turns grants and host rules into nftables.
 */
export { type Allow, covers, formatAllow, mergeAllows, parseAllow } from './document/allow.ts';
export { BOUNDARY_PREFIXES } from './document/boundary-tag.ts';
export { DEFAULT_POLICY_TEXT } from './document/default-policy.ts';
export type { Conditions, Grant, PolicyDocument, PolicyTest } from './document/document.ts';
export { nearest, nearestFew } from './document/nearest.ts';
export {
  type Address,
  containsAddress,
  enclosingNetwork,
  formatAddress,
  formatNetwork,
  holds,
  intersect,
  type Network,
  overlaps,
  parseAddress,
  parseNetwork,
  sizeOf,
} from './document/network.ts';
export type { PolicyProblem } from './document/problems.ts';
export { type PolicyReading, readPolicy } from './document/read-policy.ts';
export { parseSelector, type Selector } from './document/selector.ts';
export { parseTarget, type Target } from './document/target.ts';
export { compareVersions } from './document/version.ts';
export type { Cohort, Move, Terms } from './engine/cohort.ts';
export { difference, idsIn, type SegmentChange } from './engine/difference.ts';
export { Engine } from './engine/engine.ts';
export type { Flow } from './engine/flows.ts';
export { type Preview, preview } from './engine/preview.ts';
export type { Segment } from './engine/segments.ts';
export { explain } from './explain/explain.ts';
export type { ExplainCheck, Explanation, ExplanationStep, Verdict } from './explain/explanation.ts';
export {
  type AppliedFacts,
  type DestinationFacts,
  EXPLAINED_SECTIONS,
  type ExplainFacts,
  type LinkFacts,
  type LinkReport,
  type MissingFacts,
  type NodeFacts,
  type OfferFacts,
  type PlaceFacts,
  type ProviderFacts,
  type RelayFacts,
  type ServiceFacts,
} from './explain/facts.ts';
export { formatWanted, parseWanted, type Wanted } from './explain/wanted.ts';
export type { AclPeer } from './firewall/acl-sets.ts';
export { checkRule, type RuleProblem } from './firewall/check-rule.ts';
export { type CompiledNode, compileNode, type NodeInput } from './firewall/compile-node.ts';
export { type Decision, decide, type Packet } from './firewall/decide.ts';
export { type AgentNeeds, guardAgent, type Refusal } from './firewall/guard.ts';
export { type HostRule, hostRules, rulesFor } from './firewall/host-rules.ts';
export { type Finding, findUnused, reviewRules } from './firewall/review.ts';
export type { Direction, FirewallRule, Protocol, Rate, RuleAction } from './firewall/rule.ts';
export { tableChange } from './firewall/table-change.ts';
export { type NewMeaning, newMeanings } from './ownership/new-meanings.ts';
export { Ownership } from './ownership/ownership.ts';
export { type Ruling, scopeWords } from './ownership/ruling.ts';
export type { PolicyNode } from './policy-node.ts';
export type { Directory } from './policy-tests/directory.ts';
export { type FailedTest, runTests } from './policy-tests/run-tests.ts';
export * from './routes/index.ts';

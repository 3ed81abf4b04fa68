/**
 * Who may reach what: pure, without I/O and without a clock. `document/` reads what people write, `engine/` turns it into
 * who knows whom and what they may do, `explain/` says why, `policy-tests/` runs a policy’s own tests, `ownership/` says who
 * may use a tag, a name or a host name, `firewall/` turns grants and host rules into nftables.
 */

export { type Allow, parseAllow } from './document/allow.ts';
export { BOUNDARY_PREFIXES } from './document/boundary-tag.ts';
export { DEFAULT_POLICY_TEXT } from './document/default-policy.ts';
export type { Grant, PolicyDocument } from './document/document.ts';
export { nearestFew } from './document/nearest.ts';
export { readPolicy } from './document/read-policy.ts';
export { parseSelector } from './document/selector.ts';
export type { Cohort, Terms } from './engine/cohort.ts';
export { difference } from './engine/difference.ts';
export { Engine } from './engine/engine.ts';
export type { Flow } from './engine/flows.ts';
export { preview } from './engine/preview.ts';
export type { Segment } from './engine/segments.ts';
export { explain } from './explain/explain.ts';

export {
  EXPLAINED_SECTIONS,
  type ExplainedSection,
  type ExplainFacts,
  isSilent,
  type LinkFacts,
  type LookFacts,
  type NodeFacts,
  type OfferFacts,
  type PlaceFacts,
  type ProviderFacts,
} from './explain/facts.ts';
export { formatWanted, PING, parseWanted, type Wanted } from './explain/wanted.ts';
export type { AclPeer } from './firewall/acl-sets.ts';
export { checkRule } from './firewall/check-rule.ts';
export { compileNode, type NodeInput } from './firewall/compile-node.ts';

export { type AgentNeeds, guardAgent, type Refusal } from './firewall/guard.ts';
export { hostRules, rulesFor } from './firewall/host-rules.ts';
export { type Finding, findUnused, reviewRules } from './firewall/review.ts';
export type { FirewallRule } from './firewall/rule.ts';

export { newMeanings } from './ownership/new-meanings.ts';
export { Ownership } from './ownership/ownership.ts';
export type { Ruling } from './ownership/ruling.ts';
export type { PolicyNode } from './policy-node.ts';
export type { Directory } from './policy-tests/directory.ts';
export { runTests } from './policy-tests/run-tests.ts';
export * from './routes/index.ts';

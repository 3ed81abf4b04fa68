/** What an answer advises about the policy, done to the letter. */
import assert from 'node:assert/strict';
import type { Grant, PolicyDocument } from '../src/document/document.ts';
import { Engine } from '../src/engine/engine.ts';
import { explain } from '../src/explain/explain.ts';
import type { Explanation } from '../src/explain/explanation.ts';
import type { ExplainFacts } from '../src/explain/facts.ts';
import { parseWanted } from '../src/explain/wanted.ts';
import type { PolicyNode } from '../src/policy-node.ts';

/** What there is to change, as a person would find it. */
export interface Draft {
  readonly document: PolicyDocument;
  /** With those that are not let in: what is advised about them is for the day that they are. */
  readonly nodes: readonly PolicyNode[];
  readonly members: ReadonlySet<string>;
  readonly lapsed: ReadonlySet<number>;
}

/** Each step of an entry, without its number. */
export function stepsOf(fix: string): readonly string[] {
  return fix.split('\n').map((line) => line.replace(/^\d+\. /, ''));
}

/** The same question, of the same two ends. */
export function again(facts: ExplainFacts, { to, port }: Explanation, draft: Draft): Explanation {
  const { source, destination, question } = facts;
  const fresh = <Facts extends { readonly id: string }>(node: Facts): Facts => {
    const tags = draft.nodes.find(({ id }) => id === node.id);
    return tags === undefined ? node : { ...node, tags: tags.tags, agent_version: tags.agent_version };
  };
  const chosen = destination.kind === 'service' && destination.candidates.find(({ node }) => node.id === to.id);
  return explain({
    ...facts,
    engine: engineOf(draft),
    question: { ...question, port: parseWanted(port) ?? null },
    source: source.kind === 'node' ? fresh(source) : source,
    destination: chosen
      ? { kind: 'node', families: [4], ...chosen, node: fresh(chosen.node) }
      : destinationWith(fresh, destination),
  });
}

function destinationWith(
  fresh: <Facts extends { readonly id: string }>(node: Facts) => Facts,
  destination: ExplainFacts['destination'],
): ExplainFacts['destination'] {
  if (destination.kind === 'node') return { ...destination, node: fresh(destination.node) };
  if (destination.kind !== 'address') return destination;
  return { ...destination, providers: destination.providers.map((one) => ({ ...one, node: fresh(one.node) })) };
}

export function grantIn(fix: string): Grant | undefined {
  const text = /\{"from": .*?\]\}/.exec(fix)?.[0];
  return text === undefined ? undefined : JSON.parse(text);
}

export function written(fix: string, grant: Grant, draft: Draft): Draft {
  const groups: PolicyDocument['groups'] = JSON.parse(`{${/, and with it the groups? (.*)\.$/.exec(fix)?.[1] ?? ''}}`);
  for (const name of Object.keys(groups)) assert.ok(!Object.hasOwn(draft.document.groups, name), `${name} is taken`);
  const { document } = draft;
  return {
    ...draft,
    document: { ...document, groups: { ...document.groups, ...groups }, grants: [...document.grants, grant] },
  };
}

/** Undefined: it is not about the policy, or not for this caller. */
export function changedBy(fix: string, draft: Draft, answer: Explanation): Draft | undefined {
  const clauses = fix.replace(/(, though a test .*)?\.$/, '').split(', and ');
  return clauses.reduce<Draft | undefined>((so, clause) => so && step(clause, so, answer), draft);
}

function step(clause: string, draft: Draft, { from, to }: Explanation): Draft | undefined {
  const { document, nodes, lapsed } = draft;
  const isNamed = ({ id, name }: PolicyNode, wanted?: string) => name === wanted && (id === from.id || id === to.id);
  const nodesWith = (name: string | undefined, change: (node: PolicyNode) => PolicyNode): Draft => {
    return { ...draft, nodes: nodes.map((node) => (isNamed(node, name) ? change(node) : node)) };
  };
  const isCalled = (grant: Grant, name: string | undefined) => `${grant.from} -> ${grant.to}` === name;
  const [, node, tag] = /^give (\S+) the tag (\S+?)(?:, which makes it one of \S+)?$/i.exec(clause) ?? [];
  if (tag !== undefined) return nodesWith(node, (one) => ({ ...one, tags: [...one.tags, tag] }));
  const [, late, version] = /^update the agent on (\S+) to (\S+) or later$/i.exec(clause) ?? [];
  if (version !== undefined) return nodesWith(late, (one) => ({ ...one, agent_version: version }));
  const [, member, group = ''] =
    /^(?:add "node:|ask an operator who can change the policy to add )([^\s"]+)"? to the group (\S+)$/i.exec(clause) ??
    [];
  if (member !== undefined) {
    const selectors = [...(document.groups[group] ?? []), `node:${member}`];
    return { ...draft, document: { ...document, groups: { ...document.groups, [group]: selectors } } };
  }
  const [, port, opened] = /^add "(\S+)" to the grant (.+)$/i.exec(clause) ?? [];
  if (port !== undefined) {
    const grants = document.grants.map((one) =>
      isCalled(one, opened) ? { ...one, allow: [...one.allow, port] } : one,
    );
    return { ...draft, document: { ...document, grants } };
  }
  const [, shared = '', sharing] =
    /^approve (\S+) on (\S+) for the whole mesh \(mesh node routes --share\)$/i.exec(clause) ?? [];
  if (sharing !== undefined) return nodesWith(sharing, (one) => ({ ...one, shares: [...one.shares, shared] }));
  const [, expired] = /^give the grant (.+) a later "expires", or none$/i.exec(clause) ?? [];
  if (expired === undefined) return undefined;
  const left = [...lapsed].filter((place) => {
    const grant = document.grants[place];
    return grant !== undefined && !isCalled(grant, expired);
  });
  return { ...draft, lapsed: new Set(left) };
}

export function engineOf(draft: Draft): Engine {
  return Engine.compile({ ...draft, nodes: draft.nodes.filter(({ id }) => draft.members.has(id)) });
}

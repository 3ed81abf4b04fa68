import type { ExplainedEnd, Explanation, ExplanationStep } from './explanation.ts';
import type { DestinationFacts, ExplainFacts, MissingFacts, NodeFacts } from './facts.ts';
import { doubtOf } from './freshness.ts';
import { formatWanted, PING, type Wanted } from './wanted.ts';
import { listed } from './wording.ts';

/** The source or destination does not exist, or is hidden. The answer does not reveal which of the two. */
export function unanswered(facts: ExplainFacts): Explanation {
  const { question, source, destination } = facts;
  const lost: Lost[] = [];
  if (source.kind === 'missing') lost.push({ check: 'source', ...notFound(question.from, source) });
  const goal = lostDestination(destination, question.to);
  if (goal !== undefined) lost.push(goal);
  return {
    verdict: 'unknown',
    reason: lost[0]?.detail ?? '',
    from: source.kind === 'missing' ? { id: null, name: question.from } : { id: source.id, name: source.name },
    to: endOf(destination, question.to),
    port: portText(question.port, destination),
    grant: null,
    steps: lost.map(({ check, detail }): ExplanationStep => ({ check, outcome: 'unknown', detail })),
    fix: [...new Set(lost.map(({ fix }) => fix))],
    families: [],
    conditions: [],
  };
}

/**
 * An address of the mesh that no node has: WireGuard has no peer for it, and drops what is sent there. Undefined: the caller
 * may not see all nodes, or it is not known what the source has applied.
 */
export function unassigned(facts: ExplainFacts, source: NodeFacts, family: 4 | 6): Explanation | undefined {
  const { whole_policy, question } = facts;
  const isHere = (source.state === 'active' || source.state === 'draining') && doubtOf(source) === undefined;
  const isApplied = source.applied.self.in_sync && source.applied.peers.in_sync;
  const hasFamily = family === 4 || source.address6 !== null;
  if (!whole_policy || !isHere || !isApplied || !hasFamily) return undefined;
  const reason = `No node has the address ${question.to}.`;
  const detail = `No node has the address ${question.to}, so ${source.name} has no peer to send it to.`;
  return {
    ...unanswered(facts),
    verdict: 'denied',
    reason,
    steps: [{ check: 'destination', outcome: 'fail', detail }],
  };
}

interface Lost {
  readonly check: 'source' | 'destination' | 'service';
  readonly detail: string;
  readonly fix: string;
}

function lostDestination(destination: DestinationFacts | MissingFacts, asked: string): Lost | undefined {
  switch (destination.kind) {
    case 'missing':
      return { check: 'destination', ...notFound(asked, destination) };
    case 'service':
      if (destination.candidates.length > 0) return undefined;
      return {
        check: 'service',
        detail: `No node that you may see offers a service called ${destination.name}.`,
        fix: meant(destination.near) ?? `Declare ${destination.name} on the node that offers it.`,
      };
    case 'address':
      if (!destination.in_mesh) return undefined;
      return {
        check: 'destination',
        detail: `No node that you may see has the address ${destination.address}.`,
        fix: 'Use the name of the node.',
      };
    case 'node':
      return undefined;
  }
}

/** A service that no node offers has no known port. */
function portText(port: Wanted | null, { kind }: DestinationFacts | MissingFacts): string {
  if (port === null && kind === 'service') return '';
  return formatWanted(port ?? PING);
}

function notFound(asked: string, { near }: MissingFacts): Omit<Lost, 'check'> {
  return {
    detail: `No node that you may see is called ${asked}.`,
    fix: meant(near) ?? 'Find its name: mesh node list',
  };
}

function meant(near: readonly string[]): string | undefined {
  return near.length === 0 ? undefined : `Did you mean ${listed(near.slice(0, 3), 'or')}?`;
}

function endOf(destination: DestinationFacts | MissingFacts, asked: string): ExplainedEnd {
  const node: NodeFacts | undefined = destination.kind === 'node' ? destination.node : undefined;
  return node === undefined ? { id: null, name: asked } : { id: node.id, name: node.name };
}

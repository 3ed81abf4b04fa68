import type { Attention, IngressId, NodeId, UpstreamHealth } from '@meshwork/contract';
import type { Stored, View } from '../../mesh/model.ts';
import { pathsOf, placeOf, wholeIngress } from '../../mesh/whole-ingress.ts';
import { type RecordSources, reportedUpstreams } from './ingress-record.ts';
import { hasTarget, NO_WEIGHT, targetsOf } from './ingress-targets.ts';

/** Nodes that are named as examples. */
const FEW = 3;

/** A node that gets no requests, with why. */
interface Lacking {
  readonly name: string;
  readonly problem: string;
}

interface Asked {
  readonly ingress: Stored<'ingress'>;
  /** Those that are to take connections, and those of them that prove that they do. */
  readonly gateways: readonly NodeId[];
  readonly serving: readonly NodeId[];
}

/**
 * What to say of an ingress whose requests nothing answers: a service of a path has no node that a gateway may send them to, or
 * every gateway finds all of its nodes down. The first such path is named. Undefined: there is none.
 */
export function withoutTargets(
  view: View,
  sources: RecordSources,
  asked: Asked,
): Pick<Attention, 'title' | 'detail' | 'fix'> | undefined {
  const { id, body } = asked.ingress;
  const placed = { ingress: body, gateways: asked.gateways };
  const targets = targetsOf(view, sources, placed);
  const reports = asked.serving.flatMap(
    (node) => reportedUpstreams(sources.proofs, { node, ingress: id as IngressId, targets }) ?? [],
  );
  for (const { path, service, upstream } of pathsOf(wholeIngress(body))) {
    const title = `No node takes the requests of ${placeOf(body)}${path === '/' ? '' : path}`;
    if (!hasTarget(view, sources, { ...placed, service, upstream })) {
      // What has no problem elsewhere has no weight on this path.
      const lacking = targets.flatMap(({ problem, ...target }) =>
        target.service === service ? [{ ...target, problem: problem ?? NO_WEIGHT }] : [],
      );
      return { title, ...noTarget(service, lacking) };
    }
    const found = reports.filter((upstream) => upstream.service === service);
    if (found.length > 0 && found.every(({ state }) => state === 'down')) {
      return { title, ...allDown(view, service, found) };
    }
  }
  return undefined;
}

function noTarget(service: string, targets: readonly Lacking[]): Pick<Attention, 'detail' | 'fix'> {
  const words = targets.slice(0, FEW).map(({ name, problem }) => `${name}: ${problem}`);
  if (words.length === 0) {
    return {
      detail: `No node inside its scope reports the service ${service}.`,
      fix: `Run ${service} on a node inside its scope, with an agent that reports it, or change the service of the ingress.`,
    };
  }
  const more = targets.length > FEW ? ` And ${targets.length - FEW} more.` : '';
  return {
    detail: `None of the nodes with the service ${service} can be sent requests. ${words.join(' ')}${more}`,
    fix: fixFor(service, targets),
  };
}

/** The least that an operator has to do, going by what keeps requests from its nodes. */
function fixFor(service: string, targets: readonly Lacking[]): string {
  const isSomewhere = (start: string) => targets.some(({ problem }) => problem.startsWith(start));
  if (isSomewhere('No grant')) return `Add a grant to the policy that lets its gateways reach the nodes of ${service}.`;
  if (isSomewhere(NO_WEIGHT)) return `Give a node of ${service} a weight above 0.`;
  return `Bring one of these nodes back, or run ${service} on another one.`;
}

function allDown(view: View, service: string, found: readonly UpstreamHealth[]): Pick<Attention, 'detail' | 'fix'> {
  const words = new Map(found.map(({ node, why }) => [view.get('node', node)?.body.name ?? node, why]));
  const few = [...words].slice(0, FEW).map(([name, why]) => (why === null ? name : `${name} (${why})`));
  const more = words.size > FEW ? ` and ${words.size - FEW} more` : '';
  return {
    detail: `Its gateways find every node of ${service} down: ${few.join(', ')}${more}.`,
    fix: `Check ${service} on these nodes, and whether the check of the ingress asks for the right thing.`,
  };
}

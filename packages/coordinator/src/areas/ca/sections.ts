/** What nodes are sent of the mesh CA: what to trust, and their own certificate. */
import type { TrustSection } from '@meshwork/contract';
import { chainOf, listsOf, rootsOf, signingAuthority } from '../../issuing/authorities.ts';
import { isOfTheFuture, renewsAfterSwitch, renewsAt } from '../../issuing/lifetimes.ts';
import { carries } from '../../mesh/abilities.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { certificatesOf } from '../../mesh/node-certificates.ts';
import { isMember } from '../../mesh/node-state.ts';
import type { SectionSource, SectionTouch } from '../../views/section-source.ts';

/** The same for every node, so that it is put together once. */
export function trustSection(view: View): SectionSource<'trust'> {
  let all: TrustSection | null | undefined;
  const forget = () => {
    all = undefined;
  };
  const changed = (_: unknown, touch: SectionTouch) => {
    forget();
    touch.allNodes();
  };
  return {
    shared: true,
    content: ({ id }) => {
      if (!carries(view, id, 'trust')) return null;
      all ??= trustIn(view);
      return all;
    },
    touchedBy: {
      report: ({ id }, touch) => touch.node(id),
      authority: changed,
      revocation_list: changed,
    },
    reset: forget,
  };
}

function trustIn(view: View): TrustSection | null {
  const roots = rootsOf(view);
  return roots.length === 0 ? null : { roots: [...roots], revocation_lists: [...listsOf(view)] };
}

/** The certificate of a node. Time changes it: when it has to be renewed, the node is asked for a new request. */
export function certificateSection(view: View): SectionSource<'certificate'> {
  return {
    content: (node, at_ms) => {
      if (!mayHave(view, node)) return null;
      const { request, refused } = certificatesOf(view, node.id);
      const current = currentOf(view, node.id);
      const waits = request !== null || refused !== null; // one that was refused would be refused again
      return {
        chain: current === undefined ? null : chainOf(view, current),
        request: !waits && (current === undefined || isDue(view, current, at_ms)),
      };
    },
    nextChangeAt: (node, after_ms) => {
      const current = mayHave(view, node) ? currentOf(view, node.id) : undefined;
      if (current === undefined || certificatesOf(view, node.id).request !== null) return undefined;
      const at = isOfTheFuture(current.body, after_ms) ? after_ms : renewalOf(view, current);
      return at > after_ms ? at : undefined;
    },
    touchedBy: {
      node: ({ id }, touch) => touch.node(id),
      report: ({ id }, touch) => touch.node(id),
      node_certificate: ({ id }, touch) => touch.node(id),
      authority: (_, touch) => touch.allNodes(),
    },
  };
}

function mayHave(view: View, node: Stored<'node'>): boolean {
  return isMember(node.body) && carries(view, node.id, 'certificate') && signingAuthority(view) !== undefined;
}

function currentOf(view: View, node: string): Stored<'certificate'> | undefined {
  const { current } = certificatesOf(view, node);
  return current === null ? undefined : view.get('certificate', current);
}

/** Whether it has to be renewed by a moment, or was issued while a clock was wrong. */
export function isDue(view: View, certificate: Stored<'certificate'>, at_ms: number): boolean {
  return at_ms >= renewalOf(view, certificate) || isOfTheFuture(certificate.body, at_ms);
}

/** When it is to be renewed: by its age, or because its authority retires. */
export function renewalOf(view: View, { body }: Stored<'certificate'>): number {
  const issuer = view.get('authority', body.issuer)?.body;
  const retires = issuer !== undefined && (issuer.state === 'retiring' || issuer.state === 'retired');
  return retires ? renewsAfterSwitch(body, issuer) : renewsAt(body);
}

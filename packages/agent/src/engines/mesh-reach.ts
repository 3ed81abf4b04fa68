import { type Network, overlaps, readNetwork } from '@meshwork/addresses';
import type { AcceptRoutes } from '@meshwork/policy/routes';
import { chosenRoutes } from '../view/chosen-routes.ts';
import type { HeldView } from '../view/held-view.ts';

/** Which packets of a host are packets of the mesh: what rules of other programs are held against. */
export interface MeshReach {
  /** Of the mesh itself, of what is reached through peers, and of what this host forwards to. Empty: not known yet. */
  readonly networks: readonly Network[];
  /** Whether the host forwards for its peers. */
  readonly forwards: boolean;
}

const UNKNOWN: MeshReach = { networks: [], forwards: false };

/** What the mesh reaches by the view that an engine was last planned from. Worked out when it is asked for, and once for each view. */
export class ViewReach {
  readonly #accept: AcceptRoutes;
  #view: HeldView | undefined;
  #known: { readonly revisions: string; readonly reach: MeshReach } | undefined;

  constructor(accept: AcceptRoutes) {
    this.#accept = accept;
  }

  planned(view: HeldView): void {
    this.#view = view;
  }

  get now(): MeshReach {
    const view = this.#view;
    if (view === undefined) return UNKNOWN;
    const revisions = (['self', 'peers', 'acl'] as const).map((section) => view.revisionOf(section)).join();
    if (this.#known?.revisions !== revisions) this.#known = { revisions, reach: meshReach(view, this.#accept) };
    return this.#known.reach;
  }
}

function meshReach(view: HeldView, accept: AcceptRoutes): MeshReach {
  const { self } = view.sections;
  if (self === undefined) return UNKNOWN;
  const texts = new Set([...self.networks, ...self.routes, ...chosenRoutes(view, accept).keys()]);
  return { networks: [...texts].map(readNetwork), forwards: self.routes.length > 0 };
}

export function isReached({ networks }: MeshReach, some: readonly Network[]): boolean {
  return some.some((one) => networks.some((other) => overlaps(one, other)));
}

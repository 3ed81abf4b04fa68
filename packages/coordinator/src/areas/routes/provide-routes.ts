/** Which node forwards to which network: `choose-provider.ts` says whom, `provide-route.ts` and `note-overlaps.ts` write it down. */
import type { Duty, Notes } from '../../duties/duty.ts';
import { COORDINATOR } from '../../mesh/actor.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { changesRoles } from '../../mesh/roles-of.ts';
import { workOnSome } from '../../mesh/some-ids.ts';
import { noteOverlaps } from './note-overlaps.ts';
import { provideRoute } from './provide-route.ts';
import { RouteIndexes } from './route-indexes.ts';

/** What one transaction looks at, at most: other changes wait for it. */
const AT_ONCE = 100;

/** Keeps the providers of networks in line, and what is known of overlaps. */
export class ProvideRoutes implements Duty {
  readonly name = 'routes.provide';
  readonly #mesh: Mesh;
  readonly #indexes: RouteIndexes;
  /** Networks whose provider is in question. */
  readonly #cidrs = new Set<string>();

  readonly on: Notes = {
    node: ({ before, after }) => {
      for (const node of [before, after]) this.#touch(node?.body.routes_approved);
    },
    liveness: ({ id, before, after }) => {
      if ((before === undefined) !== (after === undefined)) this.#touchApproved(id);
    },
    report: ({ id, before, after }) => {
      const offered = new Set(after?.body.routes_offered);
      this.#touch(offered.symmetricDifference(new Set(before?.body.routes_offered)));
      if (changesRoles(before?.body, after?.body)) this.#touchApproved(id);
    },
  };

  constructor(mesh: Mesh) {
    this.#mesh = mesh;
    this.#indexes = new RouteIndexes(mesh.model);
  }

  get pending(): boolean {
    return this.#cidrs.size > 0;
  }

  begin(): void {
    const { model } = this.#mesh;
    this.#touch(this.#indexes.claimed.keys());
    for (const kind of ['route', 'overlap'] as const)
      for (const { body } of model.all(kind)) this.#cidrs.add(body.cidr);
  }

  end(): void {
    this.#cidrs.clear();
  }

  async run(): Promise<void> {
    await workOnSome(this.#cidrs, AT_ONCE, (cidrs) =>
      this.#mesh.transact({ actor: COORDINATOR, action: this.name }, (tx) => {
        for (const cidr of cidrs) {
          provideRoute(tx, this.#indexes, cidr);
          noteOverlaps(tx, this.#indexes, cidr);
        }
      }),
    );
  }

  #touchApproved(node: string): void {
    this.#touch(this.#mesh.model.get('node', node)?.body.routes_approved);
  }

  #touch(cidrs: Iterable<string> = []): void {
    for (const cidr of cidrs) this.#cidrs.add(cidr);
  }
}

import type { AppliedSection } from '@meshwork/contract';
import { changedSince, type Mark, markOf } from '../../view/changes.ts';
import type { HeldView } from '../../view/held-view.ts';
import type { Engine, EngineTraits, OpenEngine, PlanInput, Work } from '../engine.ts';
import type { HostNames } from './host-names.ts';
import { HostsFile } from './hosts-file.ts';
import { guardedNames, NAMES_PART, sameName } from './known-names.ts';

const TRAITS: EngineTraits = {
  name: 'names',
  sections: ['self', 'peers'],
  on_drift: ['peers'],
  parts: [NAMES_PART],
};

/** Names of the mesh in `/etc/hosts`. */
export const names: Engine = {
  ...TRAITS,
  lacks: async () => [],
  open: async ({ coordinators }) => new NamesEngine(new HostsFile({ outside: coordinators }), coordinators),
  remove: () => new HostsFile().remove(),
};

export class NamesEngine implements OpenEngine {
  readonly traits = TRAITS;
  readonly #names: HostNames;
  readonly #coordinators: readonly string[];
  /** What the file was last written for. Undefined: not known. */
  #written: { readonly mark: Mark; readonly self: unknown; readonly text: string } | undefined;

  constructor(names: HostNames, coordinators: readonly string[]) {
    this.#names = names;
    this.#coordinators = coordinators;
  }

  async versions() {
    return {};
  }

  plan(_section: AppliedSection, { view, guard }: PlanInput): Work | undefined {
    const { plan, parts } = guardedNames(view, this.#coordinators, guard);
    const written = { mark: markOf(view), self: view.sections.self, text: parts.map(({ text }) => text).join() };
    if (this.#isWritten(written, view)) {
      this.#written = written;
      return undefined;
    }
    const known = plan();
    return async () => {
      await guard.put(parts, () => this.#names.apply(known));
      this.#written = written;
      return {};
    };
  }

  distrust(): void {
    this.#written = undefined;
  }

  get shared_file(): string {
    return this.#names.path;
  }

  drift(): Promise<string | null> {
    return this.#names.drift();
  }

  /** Most changes of peers leave their names as they are: the file is not even read for those. */
  #isWritten({ self, text }: { readonly self: unknown; readonly text: string }, view: HeldView): boolean {
    const before = this.#written;
    if (before === undefined || before.self !== self || before.text !== text) return false;
    const changes = changedSince(view, before.mark);
    if (changes === undefined) return false;
    return [...changes].every(([id, { peer }]) => sameName(peer, view.peers.get(id)));
  }
}

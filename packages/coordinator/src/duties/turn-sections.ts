import { WHOLE_SECTIONS, type WholeSection } from '@meshwork/contract';
import type { Kind } from '../kinds/kinds.ts';
import { COORDINATOR } from '../mesh/actor.ts';
import type { Mesh } from '../mesh/mesh.ts';
import type { Changed, Stored } from '../mesh/model.ts';
import { workOnSome } from '../mesh/some-ids.ts';
import type { Transaction } from '../mesh/transaction.ts';
import { momentOf, type SectionSource, type SectionSources } from '../views/section-source.ts';
import type { Duty, Notes } from './duty.ts';

/** Nodes in one transaction. */
const AT_ONCE = 100;
/** A section of a moment that is this far ahead was computed while a clock was wrong. */
const AHEAD_MS = 60_000;

interface Timed {
  readonly section: WholeSection;
  readonly touchedBy: SectionSource<WholeSection>['touchedBy'];
  readonly nextChangeAt: NonNullable<SectionSource<WholeSection>['nextChangeAt']>;
}

/** Of one node: when its next section is another, and the newest moment that a section of it is of. */
interface Schedule {
  readonly next_ms: number;
  readonly moment_ms: number;
}

/**
 * Has nodes sent the sections that time alone changes: a credential that ends, a certificate that has to be renewed. The new
 * moment is a commit, so that it has a revision that nodes can prove, and so that every coordinator computes the same content.
 */
export class TurnSections implements Duty {
  readonly name = 'sections.turn';
  readonly on: Notes;
  readonly #mesh: Mesh;
  readonly #timed: readonly Timed[];
  readonly #schedules = new Map<string, Schedule>();
  readonly #due = new Set<string>();

  constructor(mesh: Mesh, sections: SectionSources) {
    this.#mesh = mesh;
    this.#timed = WHOLE_SECTIONS.flatMap((section) => {
      const { nextChangeAt, touchedBy }: SectionSource<WholeSection> = sections[section];
      return nextChangeAt === undefined ? [] : [{ section, touchedBy, nextChangeAt }];
    });
    const noted = this.#timed.flatMap(({ touchedBy }) => ['node', 'section_time', ...Object.keys(touchedBy)] as Kind[]);
    const kinds = new Set(noted); // none where time changes no section: then no change costs anything
    this.on = Object.fromEntries(Array.from(kinds, (kind) => [kind, (change: Changed) => this.#note(change)]));
  }

  get next_at(): number | undefined {
    const latest = this.#mesh.clock.now() + AHEAD_MS;
    let first: number | undefined;
    for (const { next_ms, moment_ms } of this.#schedules.values()) {
      const at = moment_ms > latest ? 0 : next_ms;
      if (first === undefined || at < first) first = at;
    }
    return first;
  }

  get pending(): boolean {
    return this.#due.size > 0;
  }

  begin(): void {
    this.#schedules.clear();
    if (this.#timed.length > 0) this.#scheduleAll();
  }

  end(): void {
    this.#schedules.clear();
    this.#due.clear();
  }

  async run(): Promise<void> {
    const now_ms = this.#mesh.clock.now();
    for (const [id, { next_ms, moment_ms }] of this.#schedules) {
      if (next_ms <= now_ms || moment_ms > now_ms + AHEAD_MS) this.#due.add(id);
    }
    await workOnSome(this.#due, AT_ONCE, async (ids) => {
      await this.#mesh.transact({ actor: COORDINATOR, action: this.name }, (tx) => {
        for (const id of ids) this.#turn(tx, id);
      });
      for (const id of ids) this.#schedule(id);
    });
  }

  #turn(tx: Transaction, id: string): void {
    const node = tx.get('node', id);
    if (node === undefined) return;
    const turned: { [S in WholeSection]?: number } = {};
    for (const { section, nextChangeAt } of this.#timed) {
      const moment = momentOf(tx, node, section);
      const next = nextChangeAt(node, moment) ?? Number.POSITIVE_INFINITY;
      if (next <= tx.now_ms || moment > tx.now_ms + AHEAD_MS) turned[section] = tx.now_ms;
    }
    if (Object.keys(turned).length === 0) return;
    tx.put('section_time', id, { sections: { ...tx.get('section_time', id)?.body.sections, ...turned } });
  }

  #note<K extends Kind>(change: Changed<K>): void {
    if (change.kind === 'node' || change.kind === 'section_time') this.#schedule(change.id);
    const touch = {
      node: (id: string) => this.#schedule(id),
      allNodes: () => this.#scheduleAll(),
      answer: () => undefined,
    };
    for (const { touchedBy } of this.#timed) touchedBy[change.kind]?.(change, touch);
  }

  #scheduleAll(): void {
    for (const { id } of this.#mesh.model.all('node')) this.#schedule(id);
  }

  #schedule(id: string): void {
    const node = this.#mesh.model.get('node', id);
    const schedule = node === undefined ? undefined : this.#scheduleOf(node);
    if (schedule === undefined) this.#schedules.delete(id);
    else this.#schedules.set(id, schedule);
  }

  #scheduleOf(node: Stored<'node'>): Schedule | undefined {
    let next_ms = Number.POSITIVE_INFINITY;
    let moment_ms = 0;
    for (const { section, nextChangeAt } of this.#timed) {
      const moment = momentOf(this.#mesh.model, node, section);
      const next = nextChangeAt(node, moment);
      if (next === undefined) continue;
      next_ms = Math.min(next_ms, next);
      moment_ms = Math.max(moment_ms, moment);
    }
    return next_ms === Number.POSITIVE_INFINITY ? undefined : { next_ms, moment_ms };
  }
}

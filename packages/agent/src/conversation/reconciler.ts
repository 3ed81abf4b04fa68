import type { Applied, AppliedSection } from '@meshwork/contract';
import { digestText, EMPTY_DIGEST } from '@meshwork/contract/digest';
import { APPLIED_SECTIONS } from '@meshwork/contract/vocabulary';
import type { DataPlane } from '../data-plane/data-plane.ts';
import { messageOf } from '../message-of.ts';
import type { ReceivedView } from '../view/received-view.ts';

/** The contract's limit on the words of an error. */
const MAX_ERROR_LENGTH = 500;
const NOTHING: Applied = { revision: 0, digest: digestText(EMPTY_DIGEST) };

/**
 * Makes the data plane what the view says, one section after another, while heartbeats go on. A section that could not be
 * applied is tried again whenever `reconcile` is called, that is with every answer of the coordinator.
 */
export class Reconciler<V extends ReceivedView> {
  readonly #plane: DataPlane<V>;
  readonly #view: V;
  readonly #report: (section: AppliedSection, applied: Applied) => void;
  readonly #due = new Set<AppliedSection>();
  /** Asked for since they were last begun with. */
  readonly #asked = new Set<AppliedSection>();
  readonly #inEffect = new Map<AppliedSection, Applied>();
  #running: Promise<void> | undefined;
  #applying: AppliedSection | undefined;

  constructor(plane: DataPlane<V>, view: V, report: (section: AppliedSection, applied: Applied) => void) {
    this.#plane = plane;
    this.#view = view;
    this.#report = report;
  }

  /** What is in effect of the sections that nothing is being changed about at this moment. */
  get settled(): { [S in AppliedSection]?: Applied } {
    const open = new Set([...this.#due, ...this.#asked, this.#applying]);
    return Object.fromEntries([...this.#inEffect].filter(([section]) => !open.has(section)));
  }

  /** Resolves once everything has been tried. Never rejects: what goes wrong is part of what is reported. */
  async reconcile(changed: readonly AppliedSection[]): Promise<void> {
    for (const section of changed) {
      this.#due.add(section);
      this.#asked.add(section);
    }
    if (this.#due.size === 0) return;
    this.#running ??= this.#run();
    await this.#running;
  }

  async #run(): Promise<void> {
    const tried = new Set<AppliedSection>();
    for (let section = this.#next(tried); section !== undefined; section = this.#next(tried)) {
      tried.add(section);
      this.#due.delete(section);
      this.#asked.delete(section);
      const revision = this.#view.revisionOf(section);
      this.#applying = section;
      const applied = await this.#apply(section);
      this.#applying = undefined;
      this.#inEffect.set(section, applied);
      if (applied.error !== undefined) this.#due.add(section);
      // A newer view came while this one was being applied, or it was asked for anew: it is tried in the same run.
      if (this.#view.revisionOf(section) !== revision || this.#asked.has(section)) tried.delete(section);
      this.#report(section, applied);
    }
    this.#running = undefined; // in the same breath as the last look at what is due, so that nothing falls between
  }

  #next(tried: ReadonlySet<AppliedSection>): AppliedSection | undefined {
    return APPLIED_SECTIONS.find((section) => this.#due.has(section) && !tried.has(section));
  }

  async #apply(section: AppliedSection): Promise<Applied> {
    try {
      return await this.#plane.apply(section, this.#view);
    } catch (error) {
      const { revision, digest } = this.#inEffect.get(section) ?? NOTHING;
      const reason = messageOf(error);
      return { revision, digest, error: reason.slice(0, MAX_ERROR_LENGTH) };
    }
  }
}

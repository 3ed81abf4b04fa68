import type { AppliedSection } from '@meshwork/contract';
import type { OpenEngine } from '../engines/engine.ts';

/** Which engines are what they should be, why the others are not, and which are being put back. */
export class EngineStates {
  /** Engines that were made what they should be. What never was right is not another program's doing. */
  readonly #sound = new Set<OpenEngine>();
  /** Why an engine is not what it should be, where it once was or was tried. */
  readonly #faults = new Map<OpenEngine, string>();
  /** By engine, the sections that are to be applied anew because of its repair: until then it may be half put back. */
  readonly #mending = new Map<OpenEngine, Set<AppliedSection>>();

  isSound(engine: OpenEngine): boolean {
    return this.#sound.has(engine);
  }

  /** Undefined: it is as it was made. */
  doubt(engine: OpenEngine): string | undefined {
    return this.#sound.has(engine) ? undefined : (this.#faults.get(engine) ?? 'it is being applied');
  }

  /** It was made what it should be. */
  made(engine: OpenEngine): void {
    this.#sound.add(engine);
    this.#faults.delete(engine);
  }

  /** `fault` absent: it is not known to be wrong, and yet nothing that was known of it counts. */
  distrust(engine: OpenEngine, fault?: string): void {
    this.#sound.delete(engine);
    if (fault !== undefined) this.#faults.set(engine, fault);
    engine.distrust();
  }

  isMending(engine: OpenEngine): boolean {
    return (this.#mending.get(engine)?.size ?? 0) > 0;
  }

  /** It is put back once these sections have been applied. */
  mend(engine: OpenEngine, sections: readonly AppliedSection[]): void {
    this.#mending.set(engine, new Set(sections));
  }

  applying(section: AppliedSection): void {
    for (const sections of this.#mending.values()) sections.delete(section);
  }
}

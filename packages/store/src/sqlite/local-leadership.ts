import type { Leadership, LeadershipWatch } from '../journal.ts';

interface Candidate {
  readonly watch: LeadershipWatch;
  leading: boolean;
}

/** Leadership within one process: the first candidate leads, and the next one follows when it releases. */
export class LocalLeadership {
  readonly #lines = new Map<string, Candidate[]>();

  lead(name: string, watch: LeadershipWatch): Leadership {
    const candidate: Candidate = { watch, leading: false };
    const line = this.#lines.get(name) ?? [];
    this.#lines.set(name, line);
    line.push(candidate);
    this.#promote(line);
    return {
      get leading() {
        return candidate.leading;
      },
      release: async () => {
        candidate.leading = false;
        const place = line.indexOf(candidate);
        if (place !== -1) line.splice(place, 1);
        this.#promote(line);
      },
    };
  }

  close(): void {
    for (const line of this.#lines.values()) {
      for (const candidate of line.splice(0)) {
        if (!candidate.leading) continue;
        candidate.leading = false;
        candidate.watch.lost();
      }
    }
  }

  /** In a turn of its own: the caller of `lead` must have the result before `gained` is called. */
  #promote(line: readonly Candidate[]): void {
    setImmediate(() => {
      const [first] = line;
      if (first === undefined || first.leading) return;
      first.leading = true;
      first.watch.gained();
    });
  }
}

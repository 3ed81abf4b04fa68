/** Whether the coordinator answered when it was last asked, by whichever part of the panel asked. */
export class Reachability {
  #trouble: string | null = 'it has not been asked yet';

  get reachable(): boolean {
    return this.#trouble === null;
  }

  /** Why not, in words that anybody may read. Null: it answers. */
  get trouble(): string | null {
    return this.#trouble;
  }

  answered(): void {
    this.#trouble = null;
  }

  failed(trouble: string): void {
    this.#trouble = trouble;
  }
}

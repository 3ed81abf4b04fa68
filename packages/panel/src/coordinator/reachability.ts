/** Whether the coordinator answered when it was last asked, by whichever part of the panel asked. */
export class Reachability {
  #trouble: string | null = 'no request was sent yet';

  get reachable(): boolean {
    return this.#trouble === null;
  }

  /** Why it is unreachable, as a public text. Null: it answers. */
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

import type { Duty, Notes } from '../../duties/duty.ts';
import { signingAuthority } from '../../issuing/authorities.ts';
import type { Signing } from '../../issuing/signing/signing.ts';
import { COORDINATOR } from '../../mesh/actor.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { keepAuthorities, makeAuthorities } from './new-authorities.ts';

/** Makes the root and the first intermediate of a mesh that has none. Of several coordinators, the one that leads. */
export class FoundAuthorities implements Duty {
  readonly name = 'ca.found';
  /** After a restore that brought a mesh without authorities. */
  readonly on: Notes = { authority: () => this.begin() };
  readonly #mesh: Mesh;
  readonly #signing: Signing;
  pending = false;

  constructor(mesh: Mesh, signing: Signing) {
    this.#mesh = mesh;
    this.#signing = signing;
  }

  begin(): void {
    this.pending = signingAuthority(this.#mesh.model) === undefined;
  }

  end(): void {
    this.pending = false;
  }

  async run(): Promise<void> {
    if (!this.pending) return;
    const made = await makeAuthorities(this.#mesh, this.#signing);
    await this.#mesh.transact({ actor: COORDINATOR, action: this.name }, (tx) => {
      if (signingAuthority(tx) !== undefined) return; // another coordinator was first
      const [root = ''] = keepAuthorities(tx, this.#mesh, made, 'active');
      const names = [made.root, made.intermediate].map((one) => one?.wanted.name).join(' and ');
      tx.record({ target: { kind: 'authority', id: root }, detail: `made ${names}` });
    });
    this.pending = false;
  }
}

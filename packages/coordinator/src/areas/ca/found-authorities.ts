import { formatNetwork } from '@meshwork/addresses';
import { type AuthorityId, MESH_DOMAIN, newId, utc, WHOLE_MESH } from '@meshwork/contract';
import type { AuthorityWanted, Constraints, Issuer } from '@meshwork/pki';
import type { Duty, Notes } from '../../duties/duty.ts';
import type { AuthorityDocument } from '../../kinds/ca.ts';
import { COORDINATOR } from '../../mesh/actor.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { meshIdOf } from '../../mesh/mesh-id.ts';
import type { View } from '../../mesh/model.ts';
import { ownNetworks } from '../../mesh/own-networks.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import { newSerial, sealedFor, signingAuthority } from './authorities.ts';
import { datesOf, lifeFrom } from './lifetimes.ts';
import type { Signing } from './signing/signing.ts';

const DAY_S = 24 * 3600;

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
    const wanted = authoritiesFor(this.#mesh.model, this.#mesh.clock.now());
    const made = await this.#signing.run('found', wanted);
    await this.#mesh.transact({ actor: COORDINATOR, action: this.name }, (tx) => {
      if (signingAuthority(tx) !== undefined) return; // another coordinator was first
      const root = this.#keep(tx, { role: 'root', issuer: null, wanted: wanted.root, made: made.root });
      const { intermediate } = wanted;
      this.#keep(tx, { role: 'intermediate', issuer: root, wanted: intermediate, made: made.intermediate });
      tx.record({
        target: { kind: 'authority', id: root },
        detail: `made ${wanted.root.name} and ${intermediate.name}`,
      });
    });
    this.pending = false;
  }

  #keep(tx: Transaction, given: Pick<AuthorityDocument, 'role' | 'issuer'> & Made): AuthorityId {
    const { role, issuer, wanted, made } = given;
    const id = newId('authority', tx.now_ms);
    tx.create('claim', `serial/${wanted.serial}`, { holder: id });
    tx.create('authority', id, {
      role,
      name: wanted.name,
      issuer,
      serial: wanted.serial,
      certificate: Buffer.from(made.certificate).toString('base64'),
      key: this.#mesh.seal(made.private_key, sealedFor(id)),
      constraints: wanted.constraints,
      not_before: utc(wanted.not_before.getTime()),
      not_after: utc(wanted.not_after.getTime()),
    });
    tx.emit({
      type: 'authority.created',
      subject: { kind: 'authority', id },
      scope: WHOLE_MESH,
      data: { name: wanted.name, not_after: utc(wanted.not_after.getTime()) },
    });
    return id;
  }
}

interface Made {
  readonly wanted: AuthorityWanted;
  readonly made: Issuer;
}

function authoritiesFor(view: View, now_ms: number): { root: AuthorityWanted; intermediate: AuthorityWanted } {
  const { root_lifetime_days, intermediate_lifetime_days } = settingsOf(view).ca;
  const constraints = constraintsFor(view);
  const wanted = (what: string, days: number): AuthorityWanted => {
    const serial = newSerial();
    const life = datesOf(lifeFrom(now_ms, days * DAY_S));
    return { name: `Meshwork ${what} ${serial.slice(0, 8)}`, serial, ...life, constraints };
  };
  return { root: wanted('root', root_lifetime_days), intermediate: wanted('intermediate', intermediate_lifetime_days) };
}

/** What belongs to this mesh and to no other: its names, its addresses, and SPIFFE ids under its own id. */
function constraintsFor(view: View): Constraints {
  const { pool, prefix6 } = ownNetworks(view);
  const id = meshIdOf(view)?.replace(/^mesh_/, '') ?? '';
  return {
    domains: [MESH_DOMAIN],
    networks: [formatNetwork(pool), formatNetwork(prefix6)],
    trust_domain: `${id}.${MESH_DOMAIN}`,
  };
}

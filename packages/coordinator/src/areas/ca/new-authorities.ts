import { formatNetwork } from '@meshwork/addresses';
import {
  type AuthorityId,
  type AuthorityRole,
  type AuthorityState,
  MESH_DOMAIN,
  newId,
  utc,
  WHOLE_MESH,
} from '@meshwork/contract';
import type { AuthorityWanted, Constraints, Issuer } from '@meshwork/pki';
import { newSerial } from '@meshwork/pki/serial';
import { issuerOf } from '../../issuing/authorities.ts';
import { datesOf, lifeFrom } from '../../issuing/lifetimes.ts';
import { listUrlOf } from '../../issuing/list-url.ts';
import type { Signing } from '../../issuing/signing/signing.ts';
import { authoritySealedFor } from '../../mesh/envelopes.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { meshIdOf } from '../../mesh/mesh-id.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { ownNetworks } from '../../mesh/own-networks.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import type { Transaction } from '../../mesh/transaction.ts';

const DAY_S = 24 * 3600;

interface Made {
  readonly wanted: AuthorityWanted;
  readonly made: Issuer;
}

/** New authorities, signed and not yet kept. `root`: a new one. Absent: the intermediate is signed by one that is there. */
export interface NewAuthorities {
  readonly root?: Made;
  readonly signed_by?: AuthorityId;
  readonly intermediate: Made;
}

/** Makes a root and an intermediate, or an intermediate under a root that is there. */
export async function makeAuthorities(
  mesh: Mesh,
  signing: Signing,
  under?: Stored<'authority'>,
): Promise<NewAuthorities> {
  const { model } = mesh;
  const { root_lifetime_days, intermediate_lifetime_days } = settingsOf(model).ca;
  const now_ms = mesh.clock.now();
  if (under !== undefined) {
    // What the root cannot certify, none below it can.
    const { constraints } = under.body;
    const wanted = wantedOf('intermediate', {
      now_ms,
      days: intermediate_lifetime_days,
      constraints,
      issuer: under.body,
    });
    const named = { ...wanted, ...listUrlOf(model, under.body) };
    const made = await signing.run('intermediate', { root: issuerOf(mesh, under), wanted: named });
    return { signed_by: under.id as AuthorityId, intermediate: { wanted, made } };
  }
  const constraints = constraintsFor(model);
  const root = wantedOf('root', { now_ms, days: root_lifetime_days, constraints });
  const made = await signing.run('root', root);
  const issuer = { not_after: utc(root.not_after.getTime()) };
  const wanted = wantedOf('intermediate', { now_ms, days: intermediate_lifetime_days, constraints, issuer });
  const below = await signing.run('intermediate', { root: made, wanted: { ...wanted, ...listUrlOf(model, root) } });
  return { root: { wanted: root, made }, intermediate: { wanted, made: below } };
}

function wantedOf(
  role: AuthorityRole,
  given: {
    readonly now_ms: number;
    readonly days: number;
    readonly constraints: Constraints;
    readonly issuer?: { readonly not_after: string };
  },
): AuthorityWanted {
  const serial = newSerial();
  const life = datesOf(lifeFrom(given.now_ms, given.days * DAY_S, given.issuer));
  return { name: nameOfAuthority(role, serial), serial, ...life, constraints: given.constraints };
}

/** As certificates show it. */
export function nameOfAuthority(role: AuthorityRole, serial: string): string {
  return `Meshwork ${role} ${serial.slice(0, 8)}`;
}

/** What belongs to this mesh and to no other: its names, its addresses, and SPIFFE ids under its own id. */
function constraintsFor(view: View): Constraints {
  const { pool, prefix6 } = ownNetworks(view);
  const id = meshIdOf(view)?.replace(/^mesh_/, '') ?? '';
  return {
    domains: [MESH_DOMAIN, ...settingsOf(view).ca.domains],
    networks: [formatNetwork(pool), formatNetwork(prefix6)],
    trust_domain: `${id}.${MESH_DOMAIN}`,
  };
}

/** Writes new authorities down, their keys sealed. Answers with their ids, that of the intermediate last. */
export function keepAuthorities(
  tx: Transaction,
  mesh: Pick<Mesh, 'seal'>,
  { root, signed_by, intermediate }: NewAuthorities,
  state: AuthorityState,
): readonly AuthorityId[] {
  const keep = (role: AuthorityRole, issuer: AuthorityId | null, { wanted, made }: Made): AuthorityId => {
    const id = newId('authority', tx.now_ms);
    const not_after = utc(wanted.not_after.getTime());
    tx.create('claim', `serial/${wanted.serial}`, { holder: id });
    tx.create('authority', id, {
      role,
      state,
      state_since: utc(tx.now_ms),
      name: wanted.name,
      issuer,
      serial: wanted.serial,
      certificate: Buffer.from(made.certificate).toString('base64'),
      key: mesh.seal(made.private_key, authoritySealedFor(id)),
      constraints: wanted.constraints,
      not_before: utc(wanted.not_before.getTime()),
      not_after,
    });
    const subject = { kind: 'authority', id } as const;
    tx.emit({ type: 'authority.created', subject, scope: WHOLE_MESH, data: { name: wanted.name, not_after } });
    return id;
  };
  const own = root === undefined ? undefined : keep('root', null, root);
  const below = keep('intermediate', own ?? signed_by ?? null, intermediate);
  return own === undefined ? [below] : [own, below];
}

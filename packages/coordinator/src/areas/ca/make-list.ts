import { utc } from '@meshwork/contract';
import { issuerOf } from '../../issuing/authorities.ts';
import { revokedText } from '../../issuing/signing/revoked-text.ts';
import type { Signing } from '../../issuing/signing/signing.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Stored, View } from '../../mesh/model.ts';

type ListDocument = Stored<'revocation_list'>['body'];

interface Wanted {
  readonly authority: Stored<'authority'>;
  readonly now_ms: number;
  /** Until when it is good. */
  readonly next_ms: number;
  /** An entry stays until so long after its certificate expired. Absent: all stay. */
  readonly kept_after_ms?: number;
}

/** Signs a revocation list of an authority, with all that was revoked of it. It is for the caller to keep. */
export async function makeList(mesh: Mesh, signing: Signing, wanted: Wanted): Promise<ListDocument> {
  const { authority, now_ms, next_ms, kept_after_ms = Number.POSITIVE_INFINITY } = wanted;
  const { model } = mesh;
  const all = revocationsOf(model, authority.id);
  // Compared as texts, which are all of one form: there may be many.
  const expired_at = kept_after_ms === Number.POSITIVE_INFINITY ? '' : utc(now_ms - kept_after_ms);
  const entries = all.filter(({ body }) => body.expires_at > expired_at);
  const number = numberAfter(model, authority.id, now_ms);
  const made_ms = Math.floor(now_ms / 1000) * 1000;
  const der = await signing.run('list', {
    issuer: issuerOf(mesh, authority),
    wanted: { number, made_at: new Date(made_ms), next_at: new Date(next_ms) },
    revoked: revokedText(entries),
  });
  return {
    number,
    entries: entries.length,
    revision: newestOf(all),
    made_at: utc(made_ms),
    next_at: utc(next_ms),
    list: Buffer.from(der).toString('base64'),
  };
}

/** A number that no list of an authority has had. By the clock, so that it is higher than that of any list made before an older backup was restored. */
export function numberAfter(view: View, authority: string, now_ms: number): number {
  return Math.max((view.get('revocation_list', authority)?.body.number ?? 0) + 1, now_ms);
}

export function revocationsOf(view: View, authority: string): readonly Stored<'revocation'>[] {
  return [...view.all('revocation')].filter(({ body }) => body.authority === authority);
}

/** The newest revision of them. */
export function newestOf(revocations: readonly Stored<'revocation'>[]): number {
  return revocations.reduce((newest, { revision }) => Math.max(newest, revision), 0);
}

import type { ListWanted } from '@meshwork/pki';
import type { Stored } from '../../mesh/model.ts';

type Revoked = ListWanted['revoked'][number];

/** Entries of a revocation list, one in a line: serial number, moment and reason. */
export type RevokedText = string & { readonly revoked: true };

export function revokedText(entries: readonly Stored<'revocation'>[]): RevokedText {
  return entries.map(({ id, body }) => `${id} ${body.at} ${body.reason}`).join('\n') as RevokedText;
}

export function readRevoked(text: RevokedText): readonly Revoked[] {
  return text === ''
    ? []
    : text.split('\n').map((line) => {
        const [serial = '', at = '', reason = ''] = line.split(' ');
        return { serial, at: new Date(at), reason: reason as Revoked['reason'] };
      });
}

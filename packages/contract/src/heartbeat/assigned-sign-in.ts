/** What a gateway needs to tell which people have signed in at the panel. */
import { SIGN_IN_FIELDS } from '../ingress-sign-in.ts';
import { maybe } from '../maybe.ts';
import { Type } from '../type.ts';
import { record } from './section-record.ts';

export const AssignedSignIn = record(
  {
    ...SIGN_IN_FIELDS,
    panel: maybe(
      Type.String(),
      'Where people sign in, such as `https://mesh.example.com`. Null: no panel has said it yet.',
    ),
    keys: Type.Array(Type.String(), {
      description: 'Public keys (Ed25519, base64url) that passes are signed by, newest first.',
    }),
    not_before_ms: Type.Integer({ description: 'Passes that were made until then are over.' }),
    ended: Type.Array(
      record(
        {
          person: Type.String({ description: 'Id of the person.' }),
          at_ms: Type.Integer({ description: 'Their passes that were made until then are over.' }),
        },
        'A person whose rights have changed lately, or who signed out everywhere.',
      ),
      { description: 'In order of person.' },
    ),
  },
  'People have to sign in at the panel. Absent: they need not. Sent only to agents with the ability `sign_in`.',
);

/**
 * Outside authorities give a certificate to those who answer for its host name: `show_challenge` has a gateway show the answer there. The
 * coordinator, which has the account, makes it, and asks every gateway that the name may lead to.
 */
import { idPattern } from '../ids.ts';
import { Strict } from '../operation.ts';
import { type Static, Type } from '../type.ts';
import { CHALLENGE_TYPES, MAX_SHOWN_S } from './probe-kinds.ts';

export const ShowChallengeProbe = Strict(
  {
    ingress: Type.String({ pattern: idPattern('ingress'), description: 'Id of the ingress.' }),
    hostname: Type.String({ maxLength: 253, description: 'Its host name, which is to get a certificate.' }),
    type: Type.Enum(CHALLENGE_TYPES, { description: 'Where the authority looks: as `tls.challenge` of the ingress.' }),
    token: Type.String({ pattern: '^[A-Za-z0-9_-]{16,128}$', description: 'The token of the authority.' }),
    key_authorization: Type.String({
      pattern: '^[A-Za-z0-9_-]{16,128}[.][A-Za-z0-9_-]{43}$',
      description: 'The token, a dot, and the thumbprint of the account’s key: RFC 8555, section 8.1.',
    }),
    for_s: Type.Integer({ minimum: 1, maximum: MAX_SHOWN_S, description: 'How long. Then the gateway forgets it.' }),
  },
  { description: 'Show the answer to a challenge of an outside authority at an ingress of the gateway.' },
);
export type ShowChallengeProbe = Static<typeof ShowChallengeProbe>;

export const ShowChallengeResult = Strict(
  {},
  { description: 'It is shown: the gateway has fetched it from its own nginx, as the authority will.' },
);

/** Which people may enter an ingress. Said by operators, and sent to gateways (docs/decisions/0083). */
import { maybe } from './maybe.ts';
import { Strict } from './operation.ts';
import { GROUP_NAME_PATTERN, USER_NAME_PATTERN } from './person-names.ts';
import { type Static, Type } from './type.ts';
import { PATH_PATTERN } from './upstream-check.ts';

export const GroupName = Type.String({
  pattern: GROUP_NAME_PATTERN,
  description: 'A group of people, as the identity provider or the panel names it.',
});

const groups = Type.Array(GroupName, {
  maxItems: 64,
  uniqueItems: true,
  description: 'Members of any of these may enter.',
});
const people = Type.Array(Type.String({ pattern: USER_NAME_PATTERN, description: 'What a person signs in with.' }), {
  maxItems: 64,
  uniqueItems: true,
  description:
    'These people may enter too. With neither groups nor people, everyone may who can sign in and whose scope includes that of the ingress.',
});
const nodes = Type.Boolean({
  description: 'True: nodes of the mesh need no sign-in, on connections that WireGuard proves to be theirs.',
});
const open = Type.Array(Type.String({ maxLength: 200, pattern: PATH_PATTERN }), {
  maxItems: 64,
  uniqueItems: true,
  description:
    'Paths that need no sign-in, each with everything below it. A path that is written in an unusual way, such as with `%` or `;`, needs one all the same.',
});
const session_s = Type.Integer({
  minimum: 300,
  maximum: 86_400,
  description:
    'How long a person stays signed in at the ingress. Then the panel lets them in again if it still knows them.',
});

export const SIGN_IN_FIELDS = { session_s, groups, people, open, nodes };
const SIGN_IN = 'People have to sign in at the panel before a request reaches the service. Null: they do not.';

export const SignIn = maybe(Strict(SIGN_IN_FIELDS), SIGN_IN);
export type SignIn = NonNullable<Static<typeof SignIn>>;

/** The rest is as it was, or as `DEFAULT_SIGN_IN` says. */
export const SignInChange = maybe(
  Strict({
    session_s: Type.Optional(session_s),
    groups: Type.Optional(groups),
    people: Type.Optional(people),
    open: Type.Optional(open),
    nodes: Type.Optional(nodes),
  }),
  `${SIGN_IN} Name only what differs. Only for the kind \`http\`, with TLS and \`redirect\`, and not for gRPC.`,
);

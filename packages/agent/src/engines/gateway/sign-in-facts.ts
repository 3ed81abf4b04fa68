/** What nginx goes by to tell who has signed in, as lines of `identities.ts`: it changes without a reload. */
import type { IngressAssignment } from '@meshwork/contract';
import { isId } from '@meshwork/contract/vocabulary';

type SignIn = NonNullable<IngressAssignment['sign_in']>;

export function signInFacts(section: readonly IngressAssignment[]): readonly string[] {
  const asking = section.flatMap((ingress) => {
    const { id, sign_in } = ingress;
    return sign_in === undefined || !isSound(ingress) ? [] : [{ id, sign_in }];
  });
  const [first] = asking;
  if (first === undefined) return [];
  return [...sharedFacts(first.sign_in), ...asking.flatMap(({ id, sign_in }) => ownFacts(id, sign_in))];
}

/** The same for all ingresses. */
function sharedFacts({ panel, keys, not_before_ms, ended }: SignIn): readonly string[] {
  return [
    ...(panel === null ? [] : [`panel ${panel}`]),
    `keys ${keys.join(' ')}`,
    `not-before ${not_before_ms}`,
    ...ended.map(({ person, at_ms }) => `ended/${person} ${at_ms}`),
  ];
}

/**
 * Who may enter is one value, which a worker never sees half of, and without which no one enters. A space is before and behind each
 * name, so that a part of one is never taken for the whole.
 */
function ownFacts(id: string, { groups, people, nodes, open, session_s }: SignIn): readonly string[] {
  const named = [...groups.map((group) => `group/${group}`), ...people.map((person) => `person/${person}`)];
  return [
    `sign-in/${id} ${session_s} ${nodes ? 1 : 0}`,
    `who/${id}  ${named.length === 0 ? '*' : named.join(' ')} `,
    ...(open.length === 0 ? [] : [`open/${id} ${open.join(' ')}`]),
  ];
}

/** One that is not is not served, and nginx learns nothing of it: it is known before it is served. */
function isSound(ingress: IngressAssignment): boolean {
  let isOne = true;
  checkSignIn(ingress, () => {
    isOne = false;
  });
  return isOne;
}

const GROUP = /^[A-Za-z0-9/_][A-Za-z0-9._:/@+=-]{0,63}$/;
const USER = /^[a-z0-9][a-z0-9._@+-]{0,62}$/;
const PATH = /^(?=.{1,200}$)\/(?:[A-Za-z0-9_~-][A-Za-z0-9._~-]*(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*)?$/;
const PANEL =
  /^(?=.{1,300}$)https?:\/\/(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/;
const KEY = /^[A-Za-z0-9_-]{43}$/;

/** Refuses what would not stay within its line. */
export function checkSignIn(
  { sign_in, tls, kind, routes }: IngressAssignment,
  refuse: (what: string, value: unknown) => void,
): void {
  if (sign_in === undefined) return;
  const { groups, people, open, session_s, panel, keys, not_before_ms, ended } = sign_in;
  if (kind !== 'http' || tls === null || !tls.redirect) refuse('plain HTTP beside sign-in', tls?.redirect ?? null);
  const grpc = routes.find(({ protocol }) => protocol === 'grpc' || protocol === 'grpcs');
  if (grpc !== undefined) refuse('gRPC behind sign-in', grpc.protocol);
  const each = (what: string, values: readonly string[], pattern: RegExp) => {
    for (const value of values) if (!pattern.test(value)) refuse(what, value);
  };
  each('the group', groups, GROUP);
  each('the person', people, USER);
  each('the open path', open, PATH);
  each('the panel', panel === null ? [] : [panel], PANEL);
  each('the key of passes', keys, KEY);
  const moments = [session_s, not_before_ms, ...ended.map(({ at_ms }) => at_ms)];
  for (const value of moments) if (!Number.isSafeInteger(value) || value < 0) refuse('the moment', value);
  for (const { person } of ended) if (!isId('user', person)) refuse('the person', person);
}

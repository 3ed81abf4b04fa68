import { covers, type Ingress, MeshError, utc } from '@meshwork/contract';
import { ingressAt } from '../../mesh/ingress-certificates.ts';
import { HTTPS_PORT } from '../../mesh/ingress-front.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { groupsInPass, madeAt, PASS_S, type Passes } from '../../mesh/passes.ts';
import { wholeIngress } from '../../mesh/whole-ingress.ts';
import type { Call, Reply } from '../handler.ts';

type Asked = Call<'delegations.pass'>['body'];

/**
 * Lets a person enter an ingress who has signed in at the panel. Which one follows from its host name alone, and so does where the browser
 * is sent: a caller can name no other place.
 */
export function createPass(passes: Passes, call: Call<'delegations.pass'>): Promise<Reply<'delegations.pass'>> {
  const { person, user, groups, hostname, state, address = null } = call.body;
  return call.transact((tx) => {
    const ingress = ingressAt(tx, hostname.toLowerCase());
    const whole = ingress === undefined ? undefined : wholeIngress(ingress.body);
    if (ingress === undefined || whole === undefined || whole.sign_in === null) {
      throw new MeshError('not_found', `No ingress of ${hostname} asks people to sign in.`);
    }
    ensureMayEnter(whole, whole.sign_in, call.body);
    const expires = utc(tx.now_ms + PASS_S * 1000);
    tx.record({
      target: { kind: 'ingress', id: ingress.id },
      scope: whole.scope,
      detail: `enters ${whole.hostname}, for ${whole.sign_in.session_s} s at most`,
      by: { actor: { kind: 'person', id: person.id, name: person.name }, address },
    });
    const pass = passes.make({
      ingress: ingress.id,
      hostname: whole.hostname,
      person: person.id,
      user,
      groups: groupsInPass(groups, whole.sign_in.groups),
      state,
      made_ms: madeAt(tx, person.id, tx.now_ms),
    });
    return { body: { pass, url: `${originOf(tx, ingress)}/.meshwork/sign-in`, expires } };
  });
}

function ensureMayEnter(
  { hostname, scope }: Pick<ReturnType<typeof wholeIngress>, 'hostname' | 'scope'>,
  { groups, people }: NonNullable<Ingress['sign_in']>,
  asked: Asked,
): void {
  const refused = (why: string) => new MeshError('entry_refused', `${why} may enter ${hostname}.`);
  if (groups.length === 0 && people.length === 0) {
    if (!covers(asked.scope, scope)) throw refused('Your account is for another part of the mesh than those that');
    return;
  }
  if (people.includes(asked.user) || groups.some((group) => asked.groups.includes(group))) return;
  if (groups.length === 0) throw refused('Your account is not among those that');
  throw refused('Your account is in none of the groups that');
}

/** The port is that of its gateways, unless something stands in front of them. */
function originOf(view: View, { id, body }: Stored<'ingress'>): string {
  const fronts = (view.get('placement', id)?.body.gateways ?? []).map(
    ({ node }) => view.get('report', node)?.body.gateway_front,
  );
  const front = fronts.find((one) => one !== undefined && !one.proxy_protocol);
  const port = front?.https_port ?? HTTPS_PORT;
  return `https://${body.hostname}${port === HTTPS_PORT ? '' : `:${port}`}`;
}

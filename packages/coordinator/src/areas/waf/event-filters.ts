/** Which recorded events a caller asks for, and which it may see. */
import { containsAddress, parseNetwork, plainAddress } from '@meshwork/addresses';
import { covers, invalid, type Operations, type QueryOf, type Scope } from '@meshwork/contract';
import type { TokenActor } from '../../mesh/actor.ts';
import type { View } from '../../mesh/model.ts';
import type { Recorded } from './event-log.ts';
import { mayRead } from './find-policy.ts';

type Filters = QueryOf<Operations['waf.summary']>;

/** What an ingress is inside of: its scope, or that which its events were recorded with when it is gone. */
export function mayHear(view: View, scope: Scope, recorded: Recorded): boolean {
  return covers(scope, view.get('ingress', recorded.ingress)?.body.scope ?? recorded.scope);
}

interface EventFilter {
  readonly from_ms: number | undefined;
  readonly to_ms: number | undefined;
  /** Id of the only ingress that is asked for. */
  readonly ingress: string | undefined;
  keeps(recorded: Recorded): boolean;
}

export function filterOf(view: View, { scope }: TokenActor, query: Filters): EventFilter {
  const { route, rule, address, verdict } = query;
  const policy = query.policy && idOf(view, 'waf', query.policy, (other) => mayRead(scope, other));
  const ingress = query.ingress && idOf(view, 'ingress', query.ingress, (other) => covers(scope, other));
  const isFrom = address === undefined ? undefined : clientsIn(address);
  return {
    from_ms: momentOf('from', query.from),
    to_ms: momentOf('to', query.to),
    ingress,
    keeps: (recorded) => {
      const { event, left_out } = recorded;
      const about = event ?? left_out;
      if (!mayHear(view, scope, recorded) || about === undefined) return false;
      if (policy !== undefined && about.policy !== policy) return false;
      if (event === undefined) {
        // What was only counted has none of the others.
        return route === undefined && rule === undefined && isFrom === undefined;
      }
      return (
        (route === undefined || event.route === route) &&
        (rule === undefined || event.matches.some((match) => match.rule === rule)) &&
        (isFrom === undefined || isFrom(event.address)) &&
        (verdict === undefined || event.verdict === verdict)
      );
    },
  };
}

/** The id that is meant by an id or a name. What is not known is taken as an id: nothing has it, or what is gone had it. */
function idOf(view: View, kind: 'waf' | 'ingress', text: string, may: (scope: Scope) => boolean): string {
  if (view.get(kind, text) !== undefined) return text;
  const named = [...view.all(kind)].filter(({ body }) => body.name === text && may(body.scope));
  if (named.length > 1) {
    const field = kind === 'waf' ? 'policy' : kind;
    throw invalid(`query/${field}`, `is the name of ${named.length}: use the id of one`);
  }
  return named[0]?.id ?? text;
}

function clientsIn(text: string): (address: string) => boolean {
  const plain = plainAddress(text);
  if (plain !== null) return (address) => plainAddress(address) === plain;
  const network = parseNetwork(text);
  if (network === undefined)
    throw invalid('query/address', `"${text}" is neither an address nor a network such as 192.0.2.0/24`);
  return (address) => containsAddress(network, address);
}

function momentOf(field: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const moment = Date.parse(text);
  if (Number.isNaN(moment)) throw invalid(`query/${field}`, 'is no moment that exists');
  return moment;
}

/** The wanted lines of the hosts file, from the view. */
import { arrayOf, object, string } from '@meshwork/contract/answers';
import { type Chosen, choosePart, type GuardedPart, type PartGuard } from '../../rollback/guarded-part.ts';
import { withoutPrefix } from '../../view/chosen-routes.ts';
import type { HeldView } from '../../view/held-view.ts';
import type { HostName } from './host-names.ts';

/** Entries that could stand for a coordinator. Of most nodes there are none. */
export const NAMES_PART: GuardedPart<readonly HostName[]> = {
  name: 'names',
  section: 'peers',
  none: [],
  shape: arrayOf(object({ name: string, addresses: arrayOf(string) })),
};

interface Named {
  readonly name: string;
  readonly address: string;
  readonly address6: string;
}

/** The node's own name, and those of its peers. */
export function hostNames(view: HeldView): HostName[] {
  return Array.from(allNamed(view), hostName);
}

/** `hosts`: the coordinators, as the agent calls them. The whole plan is made only where it is asked for. */
export function guardedNames(
  view: HeldView,
  hosts: readonly string[],
  guard: PartGuard,
): { readonly plan: () => readonly HostName[]; readonly parts: readonly Chosen[] } {
  const isLike = likenessTo(hosts);
  const wanted = [...allNamed(view)].filter(isLike).map(hostName);
  const chosen = choosePart(guard, view, NAMES_PART, wanted);
  const plan = () => {
    if (chosen.value === wanted) return hostNames(view);
    return [...[...allNamed(view)].filter((one) => !isLike(one)).map(hostName), ...chosen.value];
  };
  return { plan, parts: [chosen] };
}

export function sameName(one: Named | undefined, other: Named | undefined): boolean {
  return one?.name === other?.name && one?.address === other?.address && one?.address6 === other?.address6;
}

function* allNamed(view: HeldView): Generator<Named> {
  if (view.sections.self !== undefined) yield view.sections.self;
  yield* view.peers.all();
}

/** Whether a resolver could answer with a name when it is asked for one of these hosts, with search domains or without. */
function likenessTo(hosts: readonly string[]): (named: Named) => boolean {
  const taken = new Set(hosts.flatMap((host) => [host.toLowerCase(), host.toLowerCase().split('.', 1)[0] ?? '']));
  return ({ name }) => taken.has(name) || taken.has(`${name}.mesh`);
}

function hostName({ name, address, address6 }: Named): HostName {
  return { name, addresses: [address, address6].map(withoutPrefix) };
}

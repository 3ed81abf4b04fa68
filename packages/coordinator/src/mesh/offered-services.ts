import type { Peer } from '@meshwork/contract';
import type { View } from './model.ts';

/** What nodes are sent of the services of one: those that its own check does not call failing. Nothing where there are none. */
export function offeredServices(view: View, node: string): Pick<Peer, 'services'> {
  const services = (view.get('report', node)?.body.services ?? [])
    .filter(({ health }) => health !== 'failing')
    .map(({ name, protocol, port }) => ({ name, protocol, port }));
  return services.length === 0 ? {} : { services };
}

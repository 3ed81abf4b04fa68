import { formatWanted } from './wanted.ts';
import { beyond, type Finding, pass, type Way } from './way.ts';
import { listedUpTo } from './wording.ts';

const MOST_SERVICES = 5;

/** What the other end declares. Undefined: the question names no service, and the node declares none. */
export function checkService(way: Way): Finding | undefined {
  const { target, service, wanted, port } = way;
  if (target === undefined || beyond(way) !== undefined) return undefined;
  const { services } = target.node;
  if (service === undefined && (services.length === 0 || wanted.protocol === 'icmp')) return undefined;
  const here = services.find((one) => one.protocol === wanted.protocol && one.port === wanted.port);
  if (service !== undefined && here?.name !== service.name) return elsewhere(way, service.name);
  if (here === undefined) {
    return pass(
      'service',
      `${target.name} declares no service on ${port}, which does not show whether anything listens.`,
    );
  }
  const offers = service === undefined ? '' : ` ${offeredBy(service.offered)}.`;
  if (here.health === 'failing') {
    return {
      check: 'service',
      outcome: 'unknown',
      detail: `${target.name} reports that ${here.name} on ${port} fails its health check.${offers}`,
      clause: `${target.name} reports that ${here.name} fails its health check`,
      fix: [`Check ${here.name} on ${target.name}.`],
    };
  }
  return pass('service', `${target.name} declares ${here.name} on ${port}.${offers}`);
}

function elsewhere({ target, port }: Way, name: string): Finding {
  const places = (target?.node.services ?? []).filter((one) => one.name === name).map(formatWanted);
  const where = places.length === 0 ? 'nowhere' : listedUpTo(places, MOST_SERVICES);
  const clause = `${target?.name} declares ${name} on ${where}, not on ${port}`;
  const fix = places.length === 0 ? `Declare ${name} on ${target?.name}.` : `Use ${places[0]}, or leave out the port.`;
  return { check: 'service', outcome: 'fail', detail: `${clause}.`, clause, fix: [fix] };
}

function offeredBy(count: number): string {
  return count === 1 ? 'It is the only node that does' : `${count} nodes do, and this is the best of them`;
}

import { noun } from '../../derived/noun.ts';
import { checkOutside } from './check-outside.ts';
import { NO_LISTS, PARAMETERS } from './ingress-parameters.ts';
import { addressOf, ingressText, serviceText, targetsUp } from './ingress-text.ts';
import { trafficText } from './traffic-text.ts';

const AS_JSON = `A route with an upstream or rules of its own is given as JSON, as \`mesh ingress show --json\` prints it,
and so is a redirect that is not for good, or that leads all to one place:
  --route '{"path":"/api","service":"api-http","traffic":{"limits":{"requests":{"rate":"20/s","burst":40}}}}'
  --route '{"path":"/upload","service":"files","waf":"uploads"}'
  --redirect-path '{"path":"/sale","to":"/shop","status":302,"keep":false}'`;

export const ingress = noun({
  noun: 'ingress',
  areas: ['ingress'],
  // Nodes that go or come back change what serves it.
  watches: ['ingress', 'node'],
  records: { Ingress: ingressText },
  commands: {
    'ingress.create': {
      description:
        'Create an ingress: a public host name, or a port of it, that leads to a service on nodes of the mesh. The coordinator chooses its gateways among the nodes that match, the least loaded first. The policy says who may use the host name (domain owners).',
      help: AS_JSON,
      parameters: {
        ...PARAMETERS,
        name: { help: 'what people will call it' },
        service: { help: 'the service it leads to; not needed where --redirect-path sends / elsewhere' },
        replicas: { help: 'how many gateways serve it at once (default: 1)' },
        'scope.team': { help: 'the team it is for; by default the scope of the token' },
        'scope.surface': { help: 'the surface it is for' },
        'scope.environment': { help: 'the environment it is for' },
      },
    },
    'ingress.list': {
      parameters: { gateway: { help: 'only those served by this node, by id or name', completes: 'node' } },
      columns: [
        ['ID', ({ id }) => id],
        ['NAME', ({ name }) => name],
        ['STATE', ({ state }) => state],
        ['ADDRESS', addressOf],
        ['SERVICE', serviceText],
        ['TARGETS', targetsUp],
        [
          'SERVED BY',
          ({ served_by }) =>
            served_by.map(({ name, draining }) => (draining ? `${name} (draining)` : name)).join(', ') || '-',
        ],
      ],
    },
    'ingress.update': {
      description:
        'Change an ingress: only what is named. A list, such as that of routes or headers, is replaced as a whole. The policy says who may use a new host name (domain owners).',
      help: AS_JSON,
      parameters: {
        ...PARAMETERS,
        ...NO_LISTS,
        gateways: { value: 'selector', help: 'which nodes may serve it from now on: tag:role:gateway or node:gw-1' },
        service: { help: 'the service it leads to', off_help: 'it leads to none: a redirect of / sends all elsewhere' },
      },
    },
    'ingress.drain': {
      parameters: {
        deadline_s: { help: 'when connections that are still open are ended, such as 30s (default: never)' },
      },
    },
    'ingress.check': checkOutside,
    'ingress.traffic': {
      summary: 'Show how much comes to an ingress, and how it goes',
      parameters: { minutes: { value: 'minutes', help: 'how far back, up to 60 (default: 5)' } },
      print: trafficText,
    },
    'ingress.rates': {
      summary: 'List how much comes to ingresses',
      description:
        'How much comes to each ingress, in short, and how much of it fails (5xx). In the order of `mesh ingress list`.',
      parameters: { minutes: { value: 'minutes', help: 'how far back, up to 60 (default: 5)' } },
      columns: [
        ['INGRESS', ({ ingress: id }) => id],
        ['REQUESTS', ({ requests }) => String(requests)],
        ['A SECOND', ({ per_s }) => String(per_s)],
        ['5XX', ({ errors }) => String(errors)],
        ['MISSING', ({ problem }) => problem ?? '-'],
      ],
    },
    'ingress.delete': {
      summary: 'Remove an ingress',
      confirm: {
        ask: ({ session, request: { params } }) => ({
          what: `removing ingress ${params.id}`,
          describe: async () => {
            const { body } = await session.client.call('ingress.show', { params: { id: params.id ?? '' } });
            return `${addressOf(body)} stops leading to ${body.service ?? 'other places'}, open connections end, and its host name becomes free. \`mesh ingress drain ${body.name}\` first lets connections finish.`;
          },
        }),
      },
    },
  },
});

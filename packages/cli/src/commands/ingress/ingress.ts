import { noun } from '../../derived/noun.ts';
import { addressOf, ingressText, targetsUp } from './ingress-text.ts';
import { canary, route, weight } from './read-ingress.ts';

/** Flags for what an upstream is made of: the one of `/`, which most have only. */
const PARAMETERS = {
  gateways: { value: 'selector', help: 'which nodes may serve it: tag:role:gateway or node:gw-1' },
  routes: {
    value: 'path=service',
    help: 'a path that leads to another service, all that there are: /api=api-http; see below for one with an upstream of its own',
    read_each: route,
  },
  upstream: { spread: true },
  'upstream.protocol': {
    flag: 'protocol',
    help: 'how gateways speak to the service; with https its certificate has to be of the mesh CA',
  },
  'upstream.balance': {
    flag: 'balance',
    help: 'how requests are spread over its nodes: round_robin, least_connections, hash:address, hash:path, hash:header:NAME or hash:cookie:NAME',
  },
  'upstream.weights': {
    flag: 'weight',
    value: 'selector=weight',
    help: 'nodes that get more or less than others, all that there are: node:web-3=5; others have 1',
    read_each: weight,
  },
  'upstream.canary': {
    flag: 'canary',
    value: 'service=percent',
    help: 'a second service that gets a share of the requests, such as a new version: web-next=5',
    off_help: 'no canary',
    read: canary,
  },
  'upstream.check.kind': {
    flag: 'check-kind',
    help: 'how gateways check a node: it takes connections (tcp), it answers a request (http), or not at all (none)',
  },
  'upstream.check.path': { flag: 'check-path', help: 'what an http check asks for' },
  'upstream.check.status': {
    flag: 'check-status',
    help: 'which status an http check takes for a pass: 200 or 200-399',
  },
  'upstream.check.body': {
    flag: 'check-body',
    value: 'text',
    help: 'what the answer to an http check has to contain',
    off_help: 'any answer passes',
  },
  'upstream.check.interval_s': { flag: 'check-interval', help: 'time between two checks of a node' },
  'upstream.check.timeout_s': { flag: 'check-timeout', help: 'time after which a check has failed' },
  'upstream.check.rise': { flag: 'check-rise', help: 'passes in a row after which a node is up again' },
  'upstream.check.fall': { flag: 'check-fall', help: 'failures in a row after which a node is down' },
  'tls.certificate': {
    flag: 'certificate',
    help: 'what gateways show to clients: a certificate of the mesh CA (mesh), or none and plain HTTP only (none)',
  },
  'tls.redirect': {
    flag: 'redirect',
    help: 'redirect plain HTTP to HTTPS',
    off: 'no-redirect',
    off_help: 'serve plain HTTP as well',
  },
} as const;

const OWN_UPSTREAM = `A route with an upstream of its own is given as JSON, as \`mesh ingress show --json\` prints it:
  --route '{"path":"/api","service":"api-http","upstream":{"balance":"least_connections"}}'`;

export const ingress = noun({
  noun: 'ingress',
  areas: ['ingress'],
  // Nodes that go or come back change what serves it.
  watches: ['ingress', 'node'],
  records: { Ingress: ingressText },
  commands: {
    'ingress.create': {
      description:
        'Create an ingress: a public host name that leads to a service on nodes of the mesh. The coordinator chooses its gateways among the nodes that match, the least loaded first. The policy says who may use the host name (domain owners).',
      help: OWN_UPSTREAM,
      parameters: {
        ...PARAMETERS,
        name: { help: 'what people will call it' },
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
        ['SERVICE', ({ service, routes }) => (routes.length === 0 ? service : `${service} +${routes.length}`)],
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
        'Change an ingress: only what is named. Routes and weights are replaced as a whole. The policy says who may use a new host name (domain owners).',
      help: OWN_UPSTREAM,
      parameters: {
        ...PARAMETERS,
        gateways: { value: 'selector', help: 'which nodes may serve it from now on: tag:role:gateway or node:gw-1' },
        routes: { ...PARAMETERS.routes, off: 'no-route', off_help: 'everything goes to the service' },
        'upstream.weights': {
          ...PARAMETERS['upstream.weights'],
          off: 'no-weight',
          off_help: 'all nodes get the same share',
        },
      },
    },
    'ingress.delete': {
      summary: 'Remove an ingress',
      confirm: {
        ask: ({ session, request: { params } }) => ({
          what: `removing ingress ${params.id}`,
          describe: async () => {
            const { body } = await session.client.call('ingress.show', { params: { id: params.id ?? '' } });
            return `${body.hostname} stops leading to ${body.service}, open connections end, and its host name becomes free. \`mesh ingress drain ${body.name}\` first lets connections finish.`;
          },
        }),
      },
    },
  },
});

import { noun } from '../../derived/noun.ts';
import { ingressFields } from './ingress-fields.ts';

export const ingress = noun({
  noun: 'ingress',
  areas: ['ingress'],
  records: { Ingress: ingressFields },
  commands: {
    'ingress.create': {
      description:
        'Create an ingress. The coordinator chooses its gateways among the nodes that match, the least loaded first. The policy says who may use the host name (domain owners).',
      parameters: {
        name: { help: 'what people will call it' },
        gateways: { value: 'selector', help: 'which nodes may serve it: tag:role:gateway or node:gw-1' },
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
        ['HOSTNAME', ({ hostname }) => hostname],
        ['SERVICE', ({ service }) => service],
        [
          'SERVED BY',
          ({ served_by }) =>
            served_by.map(({ name, draining }) => (draining ? `${name} (draining)` : name)).join(', ') || '-',
        ],
      ],
    },
    'ingress.update': {
      description:
        'Change an ingress: only what is named. The policy says who may use a new host name (domain owners).',
      parameters: {
        gateways: { value: 'selector', help: 'which nodes may serve it from now on: tag:role:gateway or node:gw-1' },
      },
    },
    'ingress.delete': {
      summary: 'Remove an ingress',
      confirm: {
        ask: ({ session, request: { params } }) => ({
          what: `removing ingress ${params.id}`,
          describe: async () => {
            const { body } = await session.client.call('ingress.show', { params: { id: params.id ?? '' } });
            return `${body.hostname} stops leading to ${body.service}, and its host name becomes free.`;
          },
        }),
      },
    },
  },
});

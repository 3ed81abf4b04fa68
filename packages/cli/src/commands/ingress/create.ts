import type { Command } from 'commander';
import { wholeNumber } from '../../arguments.ts';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { ingressFields } from './ingress-fields.ts';
import { type ScopeFlags, scopeOf } from './scope-flags.ts';

interface Options extends ScopeFlags {
  readonly hostname: string;
  readonly service: string;
  readonly gateway: string[];
  readonly replicas?: number;
}

export function ingressCreate(): Command {
  return operationCommand('create', 'ingress.create')
    .argument('<name>', 'what people will call it')
    .requiredOption('--hostname <hostname>', 'the public host name')
    .requiredOption('--service <name>', 'the service that it leads to')
    .requiredOption('--gateway <selectors...>', 'who may serve it: tag:role:gateway or node:gw-1')
    .option('--replicas <count>', 'how many gateways serve it at once (default: 1)', wholeNumber)
    .option('--team <team>', 'the team it is for; by default the scope of the token')
    .option('--surface <surface>', 'the surface it is for')
    .option('--environment <environment>', 'the environment it is for')
    .action(async (name: string, options: Options, command: Command) => {
      const { hostname, service, gateway: gateways, replicas } = options;
      const scope = scopeOf(options);
      const { client, out } = await openSession(command);
      const { body } = await client.call('ingress.create', {
        body: { name, hostname, service, gateways, replicas, scope },
      });
      await out.result(body, () => ingressFields(body));
    });
}

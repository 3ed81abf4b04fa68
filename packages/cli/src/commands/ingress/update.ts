import type { Command } from 'commander';
import { wholeNumber } from '../../arguments.ts';
import { Failure } from '../../failure.ts';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { ingressIdOf } from './find-ingress.ts';
import { ingressFields } from './ingress-fields.ts';

interface Options {
  readonly name?: string;
  readonly hostname?: string;
  readonly service?: string;
  readonly gateway?: string[];
  readonly replicas?: number;
}

export function ingressUpdate(): Command {
  return operationCommand('update', 'ingress.update')
    .argument('<ingress>', 'id or name of the ingress')
    .option('--name <name>', 'what people will call it')
    .option('--hostname <hostname>', 'the public host name')
    .option('--service <name>', 'the service that it leads to')
    .option('--gateway <selectors...>', 'who may serve it from now on: tag:role:gateway or node:gw-1')
    .option('--replicas <count>', 'how many gateways serve it at once', wholeNumber)
    .action(async (ingress: string, { gateway: gateways, ...rest }: Options, command: Command) => {
      if (gateways === undefined && Object.keys(rest).length === 0) {
        throw new Failure('say what to change, such as --replicas 2', { exit: 'usage', code: 'usage' });
      }
      const { client, out } = await openSession(command);
      const params = { id: await ingressIdOf(client, ingress) };
      const { body } = await client.call('ingress.update', { params, body: { ...rest, gateways } });
      await out.result(body, () => ingressFields(body));
    });
}

import type { Command } from 'commander';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { ingressIdOf } from './find-ingress.ts';
import { ingressFields } from './ingress-fields.ts';

export function ingressShow(): Command {
  return operationCommand('show', 'ingress.show')
    .argument('<ingress>', 'id or name of the ingress')
    .action(async (ingress: string, _options: object, command: Command) => {
      const { client, out } = await openSession(command);
      const { body } = await client.call('ingress.show', { params: { id: await ingressIdOf(client, ingress) } });
      await out.result(body, () => ingressFields(body));
    });
}

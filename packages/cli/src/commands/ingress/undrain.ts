import type { Command } from 'commander';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { ingressIdOf } from './find-ingress.ts';
import { ingressFields } from './ingress-fields.ts';

export function ingressUndrain(): Command {
  return operationCommand('undrain', 'ingress.undrain')
    .argument('<ingress>', 'id or name of the ingress')
    .action(async (ingress: string, _options: object, command: Command) => {
      const { client, out } = await openSession(command);
      const { body } = await client.call('ingress.undrain', { params: { id: await ingressIdOf(client, ingress) } });
      await out.result(body, () => ingressFields(body));
    });
}

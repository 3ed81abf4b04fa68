import type { Command } from 'commander';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { ingressIdOf } from './find-ingress.ts';

export function ingressDelete(): Command {
  return operationCommand('delete', 'ingress.delete')
    .argument('<ingress>', 'id or name of the ingress')
    .action(async (ingress: string, _options: object, command: Command) => {
      const { client, out } = await openSession(command);
      const id = await ingressIdOf(client, ingress);
      await client.call('ingress.delete', { params: { id } });
      await out.result({ id, deleted: true }, () => `deleted ingress ${ingress}`);
    });
}

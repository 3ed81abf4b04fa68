import type { Command } from 'commander';
import { confirmRemoval, withYes, type YesFlag } from '../../confirm.ts';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { ingressIdOf } from './find-ingress.ts';

export function ingressDelete(): Command {
  return withYes(operationCommand('delete', 'ingress.delete'))
    .argument('<ingress>', 'id or name of the ingress')
    .action(async (ingress: string, options: YesFlag, command: Command) => {
      const { client, out } = await openSession(command);
      const id = await ingressIdOf(client, ingress);
      await confirmRemoval(options, `deleting ingress ${ingress}`, async () => {
        const { body } = await client.call('ingress.show', { params: { id } });
        return `${body.hostname} stops leading to ${body.service}, and its host name becomes free.`;
      });
      await client.call('ingress.delete', { params: { id } });
      await out.result({ id, deleted: true }, () => `deleted ingress ${ingress}`);
    });
}

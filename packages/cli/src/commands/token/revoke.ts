import type { TokenId } from '@meshwork/contract';
import type { Command } from 'commander';
import { tokenId } from '../../arguments.ts';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { tokenFields } from './token-fields.ts';

export function tokenRevoke(): Command {
  return operationCommand('revoke', 'tokens.revoke')
    .argument('<id>', 'id of the token', tokenId)
    .action(async (id: TokenId, _options: object, command: Command) => {
      const { client, out } = await openSession(command);
      const { body } = await client.call('tokens.revoke', { params: { id } });
      await out.result(body, () => tokenFields(body));
    });
}

import type { Command } from 'commander';
import { wholeNumber } from '../../arguments.ts';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { relayFields } from './relay-fields.ts';

interface Options {
  readonly node: string;
  readonly host: string;
  readonly port?: number;
  readonly capacity?: number;
}

export function relayCreate(): Command {
  return operationCommand('create', 'relays.create')
    .argument('<name>', 'what it is called from then on')
    .requiredOption('--node <node>', 'the node that runs it, by id or name')
    .requiredOption('--host <host>', 'host name or address that nodes reach it on')
    .option('--port <port>', 'UDP port that it listens on (default: 3478)', wholeNumber)
    .option('--capacity <count>', 'nodes assigned to it at most (default: 500)', wholeNumber)
    .action(async (name: string, options: Options, command: Command) => {
      const { client, out } = await openSession(command);
      const { body } = await client.call('relays.create', { body: { name, ...options } });
      await out.result(body, () => relayFields(body));
    });
}

import type { Command } from 'commander';
import { wholeNumber } from '../../arguments.ts';
import { Failure } from '../../failure.ts';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { relayFields } from './relay-fields.ts';

interface Options {
  readonly node?: string;
  readonly host?: string;
  readonly port?: number;
  readonly capacity?: number;
}

export function relayUpdate(): Command {
  return operationCommand('update', 'relays.update')
    .argument('<name>', 'name of the relay')
    .option('--node <node>', 'the node that runs it, by id or name')
    .option('--host <host>', 'host name or address that nodes reach it on')
    .option('--port <port>', 'UDP port that it listens on', wholeNumber)
    .option('--capacity <count>', 'nodes assigned to it at most', wholeNumber)
    .action(async (name: string, options: Options, command: Command) => {
      if (Object.keys(options).length === 0) {
        throw new Failure('say what to change, such as --capacity 100', { exit: 'usage', code: 'usage' });
      }
      const { client, out } = await openSession(command);
      const { body } = await client.call('relays.update', { params: { name }, body: options });
      await out.result(body, () => relayFields(body));
    });
}

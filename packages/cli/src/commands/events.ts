import type { StreamedEvent } from '@meshwork/client';
import type { Command } from 'commander';
import { wholeNumber } from '../arguments.ts';
import { describedCommand } from '../derived/operations.ts';
import { reasonOf } from '../failure.ts';
import { openSession } from '../session.ts';
import { printable } from '../terminal-text.ts';

interface Options {
  readonly type?: string;
  readonly after?: number;
}

export function events(): Command {
  return describedCommand('events', 'events.stream')
    .option('--type <types>', 'only these, separated by commas, such as node.joined or operation.*')
    .option('--after <seq>', 'events after this sequence number, rather than from now on', wholeNumber)
    .addHelpText('after', '\nWith --json one JSON document a line. It reconnects by itself; Ctrl-C stops it.')
    .action(async (query: Options, command: Command) => {
      const { client, out } = await openSession(command);
      const broke = (error: unknown) => {
        const why = error === undefined ? 'the coordinator ended the stream' : reasonOf(error);
        out.notice(printable(`${why}; trying again`));
      };
      for await (const event of client.events(query, { broke })) {
        if (out.json) await out.item(event);
        else if (event.type === 'reset') out.notice(`events before ${event.oldest} were missed and are no longer kept`);
        else await out.write(`${eventLine(event)}\n`);
      }
    });
}

function eventLine({ seq, at, type, subject, data }: Exclude<StreamedEvent, { type: 'reset' }>): string {
  const said = Object.entries(data).filter(([, value]) => value !== null);
  const details = said.map(([name, value]) => `${name}=${text(value)}`);
  return printable([at, String(seq), type.padEnd(18), subject.id, ...details].join('  '));
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

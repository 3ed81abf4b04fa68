import type { Link, LinkView } from '@meshwork/contract';
import type { Command } from 'commander';
import type { Output } from '../../output.ts';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { fields, table } from '../../table.ts';
import { nodeIdOf } from '../node/find-node.ts';
import { age, measured } from './link-text.ts';

export function peerShow(): Command {
  return operationCommand('show', 'peers.show')
    .argument('<a>', 'id or name of one node')
    .argument('<b>', 'id or name of the other node')
    .action(async (a: string, b: string, _options: object, command: Command) => {
      const { client, out } = await openSession(command);
      const params = { a: await nodeIdOf(client, a), b: await nodeIdOf(client, b) };
      const { body } = await client.call('peers.show', { params });
      await out.result(body, () => linkText(body, out));
    });
}

function linkText({ a, b, state, path, a_view, b_view }: Link, out: Output): string {
  const head = fields([
    ['link', `${a.name} (${a.state}) and ${b.name} (${b.state})`],
    ['state', state],
    ['path', path],
  ]);
  const headings = ['SEEN BY', 'PATH', 'HANDSHAKE', 'RTT', 'RECEIVED', 'SENT', 'ENDPOINT', 'AT'];
  const rows = [row(a.name, a_view), row(b.name, b_view)];
  return `${head}\n\n${table(headings, rows, (text) => out.strong(text))}`;
}

function row(name: string, view: LinkView | null): string[] {
  if (view === null) return [name, 'has not said'];
  const { path, handshake_age_s, rtt_ms, rx_bytes, tx_bytes, endpoint, observed_at } = view;
  const sizes = [measured(rx_bytes, 'B'), measured(tx_bytes, 'B')];
  return [name, path, age(handshake_age_s), measured(rtt_ms, 'ms'), ...sizes, endpoint ?? '-', observed_at];
}

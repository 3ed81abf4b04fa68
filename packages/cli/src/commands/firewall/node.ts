import type { RolledBack } from '@meshwork/contract';
import type { Command } from 'commander';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { printable } from '../../terminal-text.ts';
import { when } from '../../when.ts';
import { counted } from '../acl/policy-words.ts';
import { nodeIdOf } from '../node/find-node.ts';
import { findingLines } from './finding-text.ts';

/** What stands below is what it should be. This is not in effect, and the reader must not take it for it. */
function rollbackLine({ revision, after_s, at }: RolledBack): string {
  const why = `no heartbeat was answered within ${after_s} s after rule set ${revision}`;
  return printable(`NOT IN EFFECT, rolled back ${when(at)}: ${why}. It is not tried again until it changes.`);
}

export function firewallNode(): Command {
  return operationCommand('node', 'firewall.node')
    .argument('<node>', 'id or name of the node')
    .action(async (node: string, _options: object, command: Command) => {
      const { client, out } = await openSession(command);
      const { body } = await client.call('firewall.node', { params: { id: await nodeIdOf(client, node) } });
      if (out.json) return out.result(body, () => '');
      out.notice(printable(`${body.name}: ${counted(body.rules.length, 'host rule')}, mesh revision ${body.revision}`));
      if (body.rolled_back !== null) out.notice(rollbackLine(body.rolled_back));
      for (const line of findingLines(body.findings)) out.notice(line);
      await out.verbatim(body.text.endsWith('\n') ? body.text : `${body.text}\n`);
    });
}

import type { FirewallPreview } from '@meshwork/contract';
import type { Command } from 'commander';
import { operationCommand } from '../../program.ts';
import { readSource, SOURCE_HELP } from '../../read-source.ts';
import { openSession } from '../../session.ts';
import { printableText } from '../../terminal-text.ts';
import { touchedText } from '../acl/preview-text.ts';
import { findingLines } from './finding-text.ts';
import { readRules } from './read-rules.ts';

export function firewallPreview(): Command {
  return operationCommand('preview', 'firewall.preview')
    .argument('<file>', SOURCE_HELP)
    .option('--node <node>', 'also show what nftables would load on this node, by id or name')
    .addHelpText(
      'after',
      '\nThe file has all rules in order, as JSON: a list, or what `mesh firewall list --json` prints.',
    )
    .action(async (file: string, { node }: { readonly node?: string }, command: Command) => {
      const rules = readRules(await readSource(file));
      const { client, out } = await openSession(command);
      const { body } = await client.call('firewall.preview', { body: { rules, node } });
      await out.result(body, () => previewText(body));
    });
}

function previewText({ findings, nodes_touched, nodes, compiled }: FirewallPreview): string {
  const lines = findings.length === 0 ? ['nothing is odd about these rules'] : findingLines(findings);
  lines.push(touchedText(nodes_touched, nodes, 'would have other rules'));
  if (compiled !== null) lines.push('', printableText(compiled.trimEnd()));
  return lines.join('\n');
}

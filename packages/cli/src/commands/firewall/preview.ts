import type { FirewallPreview } from '@meshwork/contract';
import { Argument } from 'commander';
import { readSource, SOURCE_HELP } from '../../read-source.ts';
import { printableText } from '../../terminal-text.ts';
import type { CommandWords } from '../../words/command-words.ts';
import { touchedText } from '../acl/preview-text.ts';
import { findingLines } from './finding-text.ts';
import { readRules } from './read-rules.ts';

export const previewRules: CommandWords<FirewallPreview> = {
  only: ['node'],
  own_arguments: () => [new Argument('<file>', SOURCE_HELP)],
  parameters: { node: { help: 'also show what nftables would load on this node, by id or name' } },
  help: 'The file has all rules in order, as JSON: a list, or what `mesh firewall list --json` prints.',
  async run({ request, words: [file], send, out }) {
    request.body = { ...(request.body as object), rules: readRules(await readSource(String(file))) };
    const answer = await send();
    await out.result(answer, () => previewText(answer));
  },
};

function previewText({ findings, nodes_touched, nodes, compiled }: FirewallPreview): string {
  const lines = findings.length === 0 ? ['no findings'] : findingLines(findings);
  lines.push(touchedText(nodes_touched, nodes));
  if (compiled !== null) lines.push('', printableText(compiled.trimEnd()));
  return lines.join('\n');
}

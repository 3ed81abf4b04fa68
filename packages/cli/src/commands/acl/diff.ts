import type { Client } from '@meshwork/client';
import { Command } from 'commander';
import { wholeNumber } from '../../arguments.ts';
import type { Output } from '../../output.ts';
import { openSession } from '../../session.ts';
import { printableText } from '../../terminal-text.ts';
import { unifiedDiff } from './unified-diff.ts';

export function aclDiff(): Command {
  return new Command('diff')
    .description('Compare two versions of the policy, line by line.')
    .argument('<n>', 'number of a version', wholeNumber)
    .argument('[m]', 'number of another version (default: the one in effect)', wholeNumber)
    .action(async (n: number, m: number | undefined, _options: object, command: Command) => {
      const { client, out } = await openSession(command);
      const [from, to] = await Promise.all([textOf(client, n), textOf(client, m)]);
      const lines = unifiedDiff(from, to);
      const names = { from: `version ${n}`, to: m === undefined ? 'in effect' : `version ${m}` };
      await out.result({ ...names, lines }, () => {
        if (from === to) return `${names.from} has the same text`;
        if (lines.length === 0) return 'they differ only in how the last line ends';
        const head = [`--- ${names.from}`, `+++ ${names.to}`].map((line) => out.strong(line));
        return [...head, ...lines.map((line) => tinted(out, printableText(line)))].join('\n');
      });
    });
}

async function textOf(client: Client, version: number | undefined): Promise<string> {
  if (version === undefined) return (await client.text('acls.show')).body;
  return (await client.text('acls.version', { params: { n: String(version) } })).body;
}

function tinted(out: Output, line: string): string {
  if (line.startsWith('+')) return out.tinted('good', line);
  return line.startsWith('-') ? out.tinted('bad', line) : line;
}

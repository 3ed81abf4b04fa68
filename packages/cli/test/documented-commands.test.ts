/** Holds the commands that people read, in documents and in other packages, to those that there are. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { it } from 'node:test';
import type { Command } from 'commander';
import { mesh, NOUNS } from '../src/mesh.ts';

const root = resolve(import.meta.dirname, '../../..');
const program = mesh(NOUNS.map(({ noun }) => noun));
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md', '*.ts', '*.tsx'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  // Decisions and the changelog also speak of what was.
  .filter((file) => !/^CHANGELOG|^docs\/decisions|\.test\.tsx?$|^packages\/cli\/test/.test(file));

/** `mesh node list …` in code quotes, in a line of a shell, or as the command that a page of the dashboard shows. */
const WRITTEN = /(?:[`$] ?|^|command="|: |\n)(?:npx )?mesh ((?:--?[\w-]+ \S+ )?[a-z][\w-]*(?: [^`\n"]*)?)/gm;

it('every command that is written down is there, with its flags', () => {
  let checked = 0;
  const faults: string[] = [];
  for (const file of files) {
    for (const [, written = ''] of readFileSync(join(root, file), 'utf8').matchAll(WRITTEN)) {
      const words = written.split(/\s+#|[;|&)']|\s{2,}/)[0]?.split(' ') ?? [];
      const first = words.find((word) => !word.startsWith('-') && !word.endsWith('.token')) ?? '';
      if (!program.commands.some((one) => one.name() === first)) continue;
      checked += 1;
      const fault = faultOf(words);
      if (fault !== undefined) faults.push(`${file}: mesh ${words.join(' ')}: ${fault}`);
    }
  }
  assert.deepEqual(faults, []);
  assert.ok(checked > 100, `${checked} commands`);
});

function faultOf(words: readonly string[]): string | undefined {
  let command: Command = program;
  for (const word of words) {
    const verb = command.commands.find((one) => one.name() === word);
    if (verb !== undefined) command = verb;
    else if (command !== program && command.commands.length > 0 && /^[a-z][a-z-]*$/.test(word))
      return `no verb ${word}`;
    if (word === '--' || command.name() === 'exec') return undefined;
    const flag = /^--[a-z][\w.-]*/.exec(word)?.[0];
    if (flag !== undefined && flag !== '--help' && !flagsOf(command).includes(flag)) return `no flag ${flag}`;
  }
  return undefined;
}

function flagsOf(command: Command): (string | undefined)[] {
  const own = [...command.options.map(({ long }) => long), ...command.commands.flatMap(flagsOf)];
  return command.parent === null ? own : [...own, ...program.options.map(({ long }) => long)];
}

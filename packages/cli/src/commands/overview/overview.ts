import type { Command } from 'commander';
import { deriveTopLevel } from '../../derived/derive-command.ts';
import type { Output } from '../../output.ts';
import { overviewText } from './overview-text.ts';

export function overview(): Command {
  const print = (answer: Parameters<typeof overviewText>[0], out: Output) =>
    overviewText(answer, (tint, text) => out.tinted(tint, text));
  return deriveTopLevel('overview.show', { verb: 'overview', print }, ['*']);
}

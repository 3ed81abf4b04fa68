/**
 * Has the engine load rules, apart from what serves. It takes patterns that are none, and then never matches: so nginx, which has the
 * same library for them, is asked about those of operators.
 */
import { CommandError, type RunCommand } from '../../../host/run-command.ts';
import type { GatewayFolder } from '../gateway-folder.ts';
import { complaintIn } from '../nginx-log.ts';
import { block, type Directive, directive, joined, nginxText, patternKey, withVariables } from '../nginx-text.ts';
import { WAF_FILES } from './waf-files.ts';
import { WAF_MODULE } from './waf-input.ts';

const MAX_WORDS = 400;

/** Rejects with what it says. */
export async function tryRules(
  folder: GatewayFolder,
  run: RunCommand,
  { rules, patterns }: { readonly rules: string; readonly patterns: readonly string[] },
): Promise<void> {
  const [config, text] = [WAF_FILES.trial, WAF_FILES.trial_rules];
  await folder.write(text, rules);
  await folder.write(
    config,
    nginxText([
      directive('load_module', WAF_MODULE),
      directive('pid', folder.file(WAF_FILES.trial_pid)),
      block('events', [], []),
      block('http', [], [...judging(patterns), directive('modsecurity_rules_file', folder.file(text))]),
    ]),
  );
  try {
    await run('nginx', ['-t', '-q', '-e', 'stderr', '-p', `${folder.path}/`, '-c', folder.file(config)]);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const said = error.stderr.split('\n').flatMap((line) => complaintIn(line)?.said ?? [])[0] ?? error.message;
    throw new Error(inWords(said, folder.file(text)), { cause: error });
  } finally {
    for (const name of [config, text, WAF_FILES.trial_pid]) await folder.delete(name);
  }
}

export function judging(patterns: readonly string[]): readonly Directive[] {
  return [...new Set(patterns)].map((pattern, index) =>
    block(
      'map',
      [withVariables('$uri'), joined(withVariables('$mesh_pattern_'), index)],
      [directive(patternKey(pattern), 1)],
    ),
  );
}

function inWords(said: string, rules: string): string {
  return said
    .replace(/^"modsecurity_rules_file" directive /, '')
    .replaceAll(rules, 'the rules')
    .slice(0, MAX_WORDS);
}

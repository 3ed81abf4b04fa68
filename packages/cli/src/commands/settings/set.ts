import type { SettingsPatch } from '@meshwork/contract';
import { type Command, InvalidArgumentError } from 'commander';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { settingsText } from './settings-text.ts';

export function settingsSet(): Command {
  return operationCommand('set', 'settings.update')
    .argument('<changes...>', 'KEY=VALUE, such as nodes.stale_after_s=60; null takes an entry away', change)
    .addHelpText('after', '\n`mesh settings show` lists every key.')
    .action(async (patch: SettingsPatch, _options: object, command: Command) => {
      const { client, out } = await openSession(command);
      const { body } = await client.call('settings.update', { body: patch });
      await out.result(body, () => settingsText(body));
    });
}

interface Patch {
  [key: string]: unknown;
}

/** One more change in the patch. What is not JSON by itself (a number, true, null) is text. */
export function change(text: string, before: Patch = {}): Patch {
  const [, path = '', value = ''] = /^([a-z0-9_]+(?:\.[\w.-]+)+)=(.*)$/s.exec(text) ?? [];
  const [section = '', key = '', ...rest] = path.split('.');
  if (key === '') throw new InvalidArgumentError('Give it as KEY=VALUE, such as nodes.stale_after_s=60.');
  const inner = (before[section] ?? {}) as Patch;
  // An entry of a table within a section may have dots in its own name.
  const set = rest.length === 0 ? { [key]: readValue(value) } : { [key]: entry(inner[key], rest.join('.'), value) };
  return { ...before, [section]: { ...inner, ...set } };
}

function entry(table: unknown, name: string, value: string): Patch {
  return { ...(table as Patch | undefined), [name]: readValue(value) };
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

import type { Settings } from '@meshwork/contract';
import { Argument, InvalidArgumentError } from 'commander';
import { noun } from '../../derived/noun.ts';
import { fields } from '../../table.ts';

export const settings = noun({
  noun: 'settings',
  areas: ['settings'],
  watches: ['settings'],
  records: { Settings: settingsText },
  commands: {
    'settings.update': {
      description: 'Change settings of the mesh: only those that are named.',
      only: [],
      own_arguments: () => [
        new Argument('<changes...>', 'KEY=VALUE, such as nodes.stale_after_s=60; null removes an entry').argParser(
          change,
        ),
      ],
      help: '`mesh settings show` lists every key.',
      async run({ request, words: [patch], send, show }) {
        request.body = patch;
        await show(await send());
      },
    },
  },
});

/** Each setting as `mesh settings set` takes it back, apart from the equals sign. */
function settingsText(settings: Settings): string {
  return fields([...leaves('', settings)]);
}

function* leaves(path: string, value: unknown): Generator<[string, string]> {
  if (typeof value !== 'object' || value === null) {
    yield [path, String(value)];
    return;
  }
  if (Array.isArray(value)) {
    yield [path, JSON.stringify(value)];
    return;
  }
  for (const [key, inner] of Object.entries(value)) yield* leaves(path === '' ? key : `${path}.${key}`, inner);
}

interface Patch {
  [key: string]: unknown;
}

/** One more change in the patch. What is not JSON by itself (a number, true, null) is text. */
function change(text: string, before: Patch = {}): Patch {
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

import type { RequestOf } from '@meshwork/client';
import { Failure } from '../../failure.ts';
import type { Source } from '../../source-problems.ts';

type Rules = RequestOf<'firewall.preview'>['body']['rules'];

/** What a rule has once it is kept, and a new one has not. */
const KEPT = ['id', 'position', 'created_at', 'created_by', 'revision'];

/** A list of rules, alone or as `rules`; also what `mesh firewall list --json` prints, to be changed and tried. */
export function readRules({ name, text }: Source): Rules {
  const value = parsed(name, text);
  const { rules, items } = (value ?? {}) as { readonly rules?: unknown; readonly items?: unknown };
  const list = [value, rules, items].find(Array.isArray);
  if (list === undefined) throw wrong(`${name} has no list of rules`);
  // What is wrong inside a rule is for the coordinator to say.
  return list.map((rule: unknown) => (typeof rule === 'object' && rule !== null ? withoutKept(rule) : rule)) as Rules;
}

function withoutKept(rule: object): object {
  return Object.fromEntries(Object.entries(rule).filter(([field]) => !KEPT.includes(field)));
}

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw wrong(`${name} is not JSON: ${(error as Error).message}`);
  }
}

function wrong(message: string): Failure {
  const hint =
    '[{ "nodes": ["*"], "direction": "in", "interface": "any", "protocol": "tcp", "ports": ["22"], "action": "accept" }]';
  return new Failure(message, { exit: 'usage', code: 'usage', hint });
}

/** Holds the commands to both tables of operations. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Command } from 'commander';
import { OPERATION_OF } from '../src/derived/derive-noun.ts';
import { operationIds, operationOf } from '../src/derived/operations.ts';
import { parametersOf } from '../src/derived/parameters.ts';
import { ELSEWHERE, NO_COMMAND } from '../src/derived/without.ts';
import { mesh, NOUNS } from '../src/mesh.ts';
import { pathOf } from '../src/program.ts';

const program = mesh(NOUNS.map(({ noun }) => noun));

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}
const commands = everyCommand(program);

describe('the commands', () => {
  for (const api of ['coordinator', 'panel'] as const) {
    it(`has every operation of the ${api}, or a reason why not`, () => {
      const known = new Set(commands.map((command) => OPERATION_OF.get(command)));
      for (const id of operationIds(api)) {
        const ways = [
          known.has(`${api} ${id}`),
          NO_COMMAND[api][id] !== undefined,
          api === 'coordinator' && commands.some((command) => pathOf(command) === `mesh ${ELSEWHERE[id]}`),
        ];
        assert.equal(ways.filter(Boolean).length, 1, `${id} has one command or one reason`);
      }
      for (const id of Object.keys(NO_COMMAND[api])) assert.ok(operationIds(api).includes(id), `${id} is in the table`);
    });
  }

  it('show every parameter of their operation in their help', () => {
    let shown = 0;
    for (const noun of NOUNS) {
      for (const command of commands.filter((one) => one.parent?.name() === noun.noun)) {
        const [api, id = ''] = OPERATION_OF.get(command)?.split(' ') ?? [];
        const words = noun.commands[id] ?? {};
        // A second command for the same operation has words of its own, and a command made by hand its own flags.
        if (api === undefined || words.made !== undefined || command.name() !== nameOf(id, words.verb)) continue;
        const help = command.helpInformation();
        for (const { name, argument, path, schema } of parametersOf(operationOf(noun.api, id), noun.thing, words)) {
          assert.match(
            help,
            new RegExp(argument ? `[<[]${name}[.\\]>]` : `--${name}\\b`),
            `${pathOf(command)}: ${path}`,
          );
          for (const choice of schema.enum ?? [])
            assert.ok(help.includes(String(choice)), `${pathOf(command)}: ${choice}`);
          shown += 1;
        }
      }
    }
    assert.ok(shown > 100, `${shown} parameters`);
  });

  it('leave out a parameter only where their words say so', () => {
    for (const { api, commands: words, thing, areas } of NOUNS) {
      for (const id of operationIds(api).filter((one) => areas.includes(one.split('.')[0] ?? ''))) {
        const { without, only, fixed, made } = words[id] ?? {};
        if (without ?? only ?? fixed ?? made ?? NO_COMMAND[api][id]) continue;
        const { params, query, body, text } = operationOf(api, id);
        const members = [params, query, text === undefined ? body : undefined].flatMap((schema) =>
          Object.keys((schema as { readonly properties?: object } | undefined)?.properties ?? {}),
        );
        const offered = new Set(parametersOf(operationOf(api, id), thing, words[id] ?? {}).map(({ path }) => path[0]));
        const paged = members.includes('cursor') ? ['cursor', 'limit'] : [];
        assert.deepEqual(
          members.filter((member) => !offered.has(member)),
          paged.toReversed(),
          id,
        );
      }
    }
  });

  it('have the same verbs everywhere, a summary each, and no flag that means something else to every command', () => {
    const globals = program.options.map(({ long }) => long);
    for (const command of commands.filter((one) => one.commands.length === 0)) {
      assert.doesNotMatch(command.name(), /^(add|change|update|delete|replace|get|edit-.*)$/, pathOf(command));
      assert.notEqual(command.summary() || command.description(), '', pathOf(command));
      const own = command.options.map(({ long }) => long);
      assert.deepEqual(
        own.filter((flag) => globals.includes(flag)),
        [],
        pathOf(command),
      );
      assert.deepEqual(own.toSorted(), [...new Set(own)].toSorted(), `${pathOf(command)} has each flag once`);
    }
  });

  it('speak of flags and commands in their help, and not of the API', () => {
    const api =
      /\b[a-z]+_[a-z_]+\b|JSON merge|\bbody\b|query parameter|ETag|If-Match|\b(GET|POST|PUT|PATCH|DELETE)\b|\/v1|[Nn]ull\b(?! removes)/;
    for (const command of commands) {
      const flags = [...command.options, ...command.registeredArguments].map(({ description }) => description);
      for (const text of [command.summary(), command.description(), ...flags]) {
        // Flags, keys of settings, variables of the environment and values are what people type.
        const said = text.replaceAll(/--[a-z][a-z-]+|nodes\.stale_after_s|round_robin|least_connections/g, '');
        assert.doesNotMatch(said, api, pathOf(command));
      }
    }
  });

  it('that ask before they do something take --yes', () => {
    for (const command of commands.filter((one) => one.name() === 'remove')) {
      assert.ok(
        command.options.some(({ long }) => long === '--yes'),
        pathOf(command),
      );
    }
  });

  it('that list or show what events are about can be watched', () => {
    const watched = commands.filter(({ options }) => options.some(({ long }) => long === '--watch')).map(pathOf);
    for (const path of [
      'node list',
      'node show',
      'relay list',
      'operation show',
      'token list',
      'settings show',
      'overview',
    ]) {
      assert.ok(watched.includes(`mesh ${path}`), path);
    }
  });
});

function nameOf(id: string, verb: string | undefined): string {
  const own = id.slice(id.indexOf('.') + 1).replaceAll('_', '-');
  return verb ?? { update: 'set', replace: 'set', delete: 'remove' }[own] ?? own;
}

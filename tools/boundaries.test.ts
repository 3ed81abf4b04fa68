import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RULES } from './boundary-rules.ts';
import { manifest, type Tree, using, violationsOf } from './small-workspace.ts';

/** A package that is there to be imported. */
function plain(...names: readonly string[]): Tree {
  return Object.fromEntries(names.map((name) => [`packages/${name}/src/index.ts`, 'export const x = 1;\n']));
}

function reasonFor(to: string): string {
  const reason = RULES.find((rule) => rule.to.includes(to))?.reason;
  assert.ok(reason, `no rule about ${to}`);
  return reason;
}

describe('the rules', () => {
  test('each gives its reason', () => {
    for (const { from, to, reason } of RULES) {
      assert.match(reason, /^\S.{15,}[^.]$/, `${from} -> ${to}`);
    }
  });

  test('each package may import what it is built from', async () => {
    const allowed: Readonly<Record<string, readonly string[]>> = {
      contract: [],
      policy: [],
      store: ['contract'],
      client: ['contract'],
      coordinator: ['contract', 'policy', 'pki', 'store'],
      pki: [],
      panel: ['contract', 'client', 'store'],
      dashboard: ['contract', 'client'],
      agent: ['contract', 'client'],
      cli: ['contract', 'client', 'lab'],
    };
    for (const [name, others] of Object.entries(allowed)) {
      for (const other of [...Object.keys(allowed), 'lab'].filter((candidate) => candidate !== name)) {
        const violations = await violationsOf({
          ...plain(other),
          ...using(`packages/${name}`, `@meshwork/${other}`),
          [`packages/${name}/src/x.ts`]: `import { x } from '@meshwork/${other}';\nexport { x };\n`,
        });
        const expected = others.includes(other) ? 0 : 1;
        assert.equal(violations.length, expected, `${name} -> ${other}: ${violations}`);
        if (expected === 1)
          assert.match(violations[0] ?? '', /^packages\/\w+\/src\/x\.ts:1 imports @meshwork\/\w+: \S/);
      }
    }
  });

  test('a few commands of the CLI start services, each its own, and no other file does', async () => {
    const both = "import '@meshwork/coordinator';\nimport '@meshwork/panel';\n";
    const violations = await violationsOf({
      ...plain('coordinator', 'panel'),
      ...using('packages/cli', '@meshwork/coordinator', '@meshwork/panel'),
      'packages/cli/src/commands/up.ts': both,
      'packages/cli/src/commands/coordinator.ts': both,
      'packages/cli/src/commands/demo.ts': both,
      'packages/cli/src/commands/panel.ts': both,
      'packages/cli/src/commands/status.ts': both,
    });
    assert.deepEqual(violations, [
      'packages/cli/src/commands/coordinator.ts:2 imports @meshwork/panel: processes meet only over the wire, through client',
      'packages/cli/src/commands/panel.ts:1 imports @meshwork/coordinator: processes meet only over the wire, through client',
      'packages/cli/src/commands/status.ts:1 imports @meshwork/coordinator: processes meet only over the wire, through client',
      'packages/cli/src/commands/status.ts:2 imports @meshwork/panel: processes meet only over the wire, through client',
    ]);
  });

  test('areas of the coordinator do not import each other', async () => {
    const violations = await violationsOf({
      'packages/coordinator/src/areas/areas.ts': "import './nodes/nodes.ts';\n",
      'packages/coordinator/src/areas/nodes/nodes.ts': "import './own.ts';\nimport '../tokens/tokens.ts';\n",
      'packages/coordinator/src/areas/nodes/own.ts': "import '../../mesh/model.ts';\n",
      'packages/coordinator/src/areas/tokens/tokens.ts': "import '../pages.ts';\n",
      'packages/coordinator/src/areas/pages.ts': 'export {};\n',
      'packages/coordinator/src/mesh/model.ts': 'export {};\n',
    });
    const reason = reasonFor('packages/coordinator/src/areas/<!area>/**');
    assert.deepEqual(violations, [
      `packages/coordinator/src/areas/nodes/nodes.ts:2 imports packages/coordinator/src/areas/tokens/tokens.ts: ${reason}`,
    ]);
  });

  test('features of the dashboard do not import each other, and nothing that they are built from imports them', async () => {
    const violations = await violationsOf({
      'packages/dashboard/src/features/features.ts': "import './nodes/index.ts';\n",
      'packages/dashboard/src/features/nodes/index.ts': "import './own.ts';\nimport '../tokens/index.ts';\n",
      'packages/dashboard/src/features/nodes/own.ts': "import '../../ui/button.ts';\n",
      'packages/dashboard/src/ui/button.ts': 'export {};\n',
      'packages/dashboard/src/features/tokens/index.ts': 'export {};\n',
      'packages/dashboard/src/mesh/words.ts': "import '../features/tokens/index.ts';\n",
    });
    const tokens = 'packages/dashboard/src/features/tokens/index.ts';
    assert.deepEqual(violations, [
      `packages/dashboard/src/features/nodes/index.ts:2 imports ${tokens}: ${reasonFor('packages/dashboard/src/features/<!feature>/**')}`,
      `packages/dashboard/src/mesh/words.ts:1 imports ${tokens}: ${reasonFor('packages/dashboard/src/features/**')}`,
    ]);
  });

  test('only the http edge of the coordinator imports fastify', async () => {
    const violations = await violationsOf({
      ...using('packages/coordinator', 'fastify'),
      'packages/coordinator/src/http/server.ts': "import fastify from 'fastify';\n",
      'packages/coordinator/src/mesh/model.ts': "import type { FastifyRequest } from 'fastify';\n",
    });
    assert.deepEqual(violations, [`packages/coordinator/src/mesh/model.ts:1 imports fastify: ${reasonFor('fastify')}`]);
  });

  test('only store knows SQL', async () => {
    const both = "import pg from 'pg';\nimport { DatabaseSync } from 'node:sqlite';\n";
    const violations = await violationsOf({
      ...using('packages/store', 'pg'),
      ...using('packages/coordinator', 'pg'),
      'packages/store/src/x.ts': both,
      'packages/coordinator/src/x.ts': both,
    });
    assert.deepEqual(violations, [
      `packages/coordinator/src/x.ts:1 imports pg: ${reasonFor('pg')}`,
      `packages/coordinator/src/x.ts:2 imports node:sqlite: ${reasonFor('node:sqlite')}`,
    ]);
  });

  test('only config.ts reads the environment', async () => {
    const text = '// process.env is read once.\nexport const home = process.env.HOME;\n';
    const violations = await violationsOf({
      'packages/agent/src/config.ts': text,
      'packages/agent/src/config.test.ts': text,
      'packages/agent/test/parts.ts': text,
      'packages/agent/src/main.ts': text,
      'bench/src/main.ts': text,
      'tools/x.ts': text,
    });
    assert.deepEqual(violations, [`packages/agent/src/main.ts:2 reads process.env: ${reasonFor('process.env')}`]);
  });
});

describe('packages meet at their exports', () => {
  test('a relative path that leaves its package is refused', async () => {
    const violations = await violationsOf({
      ...plain('contract'),
      'packages/store/src/x.ts': "import type { x } from '../../contract/src/index.ts';\n",
    });
    assert.deepEqual(violations, [
      `packages/store/src/x.ts:1 imports packages/contract/src/index.ts: ${reasonFor('outside:**')}`,
    ]);
  });

  test('a file that is not exported is refused, also from the tools', async () => {
    const violations = await violationsOf({
      ...plain('contract'),
      ...using('packages/store', '@meshwork/contract'),
      'packages/store/src/x.ts': "import '@meshwork/contract/src/index.ts';\n",
      'tools/x.ts': "import '@meshwork/contract/src/index.ts';\n",
    });
    assert.deepEqual(violations, [
      `packages/store/src/x.ts:1 imports @meshwork/contract/src/index.ts: ${reasonFor('inner:**')}`,
      `tools/x.ts:1 imports @meshwork/contract/src/index.ts: ${reasonFor('inner:**')}`,
    ]);
  });

  test('an entry behind a condition or a star is found', async () => {
    const violations = await violationsOf({
      'packages/contract/package.json': manifest('packages/contract', {
        exports: { '.': { default: './src/index.ts' }, './areas/*': './src/areas/*.ts' },
      }),
      ...plain('contract'),
      'packages/contract/src/areas/nodes.ts': 'export {};\n',
      ...using('packages/store', '@meshwork/contract'),
      'packages/store/src/x.ts': "import '@meshwork/contract';\nimport '@meshwork/contract/areas/nodes';\n",
    });
    assert.deepEqual(violations, []);
  });

  test('an import of nothing is refused', async () => {
    const violations = await violationsOf({
      'packages/store/src/x.ts': "import './gone.ts';\nimport '@meshwork/gone';\n",
    });
    assert.deepEqual(violations, [
      `packages/store/src/x.ts:1 imports packages/store/src/gone.ts: ${reasonFor('missing:**')}`,
      `packages/store/src/x.ts:2 imports @meshwork/gone: ${reasonFor('missing:**')}`,
    ]);
  });
});

describe('every way to import counts', () => {
  const ways: Readonly<Record<string, string>> = {
    'import type': "import type { X } from 'pg';",
    'export from': "export { X, Y } from 'pg';",
    'export star': "export * from 'pg';",
    'export type star': "export type * from 'pg';",
    'dynamic import': "await import('pg');",
    'dynamic import of a plain template': 'await import(`pg`);',
    'import in a type': "export let x: import('pg').X;",
    'side effect': "import 'pg';",
  };
  for (const [way, code] of Object.entries(ways)) {
    test(way, async () => {
      const violations = await violationsOf({
        ...using('packages/agent', 'pg'),
        'packages/agent/src/x.ts': `// ü 😀\n${code}\n`,
      });
      assert.deepEqual(violations, [`packages/agent/src/x.ts:2 imports pg: ${reasonFor('pg')}`]);
    });
  }

  test('a worker that is started from a file', async () => {
    const violations = await violationsOf({
      'packages/store/src/x.ts': "new Worker(new URL('../../agent/src/worker.ts', import.meta.url));\n",
    });
    assert.deepEqual(violations, [
      `packages/store/src/x.ts:1 starts packages/agent/src/worker.ts: ${reasonFor('outside:**')}`,
    ]);
  });

  test('but an address of nothing is no import', async () => {
    const violations = await violationsOf({
      'packages/store/src/x.test.ts': "new Worker(new URL('./gone.ts', import.meta.url));\n",
    });
    assert.deepEqual(violations, []);
  });

  test('a file that does not parse is reported, not passed over', async () => {
    const violations = await violationsOf({ 'packages/store/src/x.ts': 'export const = 1;\n' });
    assert.match(violations.join('\n'), /^packages\/store\/src\/x\.ts:1 does not parse: /);
  });
});

describe('tests', () => {
  test('are never imported by other code', async () => {
    const violations = await violationsOf({
      'packages/store/src/x.ts': "import './x.test.ts';\nimport '../test/parts.ts';\n",
      'packages/store/src/x.test.ts': "import '../test/parts.ts';\n",
      'packages/store/test/parts.ts': 'export {};\n',
    });
    assert.deepEqual(violations, [
      `packages/store/src/x.ts:1 imports packages/store/src/x.test.ts: ${reasonFor('**/*.test.ts')}`,
      `packages/store/src/x.ts:2 imports packages/store/test/parts.ts: ${reasonFor('**/*.test.ts')}`,
    ]);
  });

  test('and the bench may borrow the test parts of a package', async () => {
    const code = "import '@meshwork/store/testing';\n";
    const violations = await violationsOf({
      'packages/store/test/parts.ts': 'export {};\n',
      ...using('packages/coordinator', '@meshwork/store'),
      ...using('bench', '@meshwork/store'),
      'packages/coordinator/src/x.test.ts': code,
      'packages/coordinator/src/x.ts': code,
      'bench/src/main.ts': code,
    });
    assert.deepEqual(violations, [
      `packages/coordinator/src/x.ts:1 imports @meshwork/store/testing: ${reasonFor('@meshwork/*/testing')}`,
    ]);
  });
});

describe('cycles', () => {
  test('are reported once, with the way round', async () => {
    const violations = await violationsOf({
      'packages/store/src/a.ts': "import type { B } from './b.ts';\n",
      'packages/store/src/b.ts': "export const b = 1;\nexport { c } from './c.ts';\n",
      'packages/store/src/c.ts': "import './a.ts';\n",
      'packages/store/src/index.ts': "import './a.ts';\n",
    });
    const [a, b, c] = ['a', 'b', 'c'].map((name) => `packages/store/src/${name}.ts`);
    assert.deepEqual(violations, [
      `${a}:1 imports ${b}: these files import each other in a circle: ${a} -> ${b} -> ${c} -> ${a}`,
    ]);
  });

  test('are not closed by starting a worker', async () => {
    const violations = await violationsOf({
      'packages/store/src/a.ts': "new Worker(new URL('./b.ts', import.meta.url));\n",
      'packages/store/src/b.ts': "import './a.ts';\n",
    });
    assert.deepEqual(violations, []);
  });
});

describe('folders', () => {
  test('that import each other are reported once, wherever they fork, and tests are free', async () => {
    const violations = await violationsOf({
      'packages/store/src/one/a.ts': "import '../other/deep/b.ts';\n",
      'packages/store/src/other/deep/b.ts': 'export {};\n',
      'packages/store/src/other/c.ts': "\nimport '../one/inner/d.ts';\n",
      'packages/store/src/one/inner/d.ts': "import '../e.ts';\n",
      'packages/store/src/one/e.ts': 'export {};\n',
      'packages/store/src/below/f.ts': "import '../one/a.ts';\n",
      'packages/store/src/one/a.test.ts': "import '../below/f.ts';\n",
    });
    assert.deepEqual(violations, [
      'packages/store/src/other/c.ts:2 imports packages/store/src/one/inner/d.ts: packages/store/src/one and packages/store/src/other import each other, as in packages/store/src/one/a.ts:1',
    ]);
  });
});

describe('package.json', () => {
  test('declares what the package imports', async () => {
    const violations = await violationsOf({
      ...plain('contract'),
      'packages/store/src/x.ts': "import '@meshwork/contract';\nimport 'ajv/dist/2020.js';\nimport '@scope/name/x';\n",
    });
    assert.deepEqual(violations, [
      'packages/store/src/x.ts:1 imports @meshwork/contract: packages/store/package.json does not declare it',
      'packages/store/src/x.ts:2 imports ajv: packages/store/package.json does not declare it',
      'packages/store/src/x.ts:3 imports @scope/name: packages/store/package.json does not declare it',
    ]);
  });

  test('declares to run what is needed to run', async () => {
    const violations = await violationsOf({
      'packages/store/package.json': manifest('packages/store', { devDependencies: { ajv: '1.0.0' } }),
      'packages/store/src/x.ts': "import 'ajv';\n",
      'packages/store/src/x.test.ts': "import 'ajv';\n",
    });
    assert.deepEqual(violations, [
      'packages/store/src/x.ts:1 imports ajv: packages/store/package.json has it under devDependencies, but it is needed to run',
    ]);
  });

  test('of the root serves tests and tools', async () => {
    const code = "import 'fast-check';\nimport 'pino';\n";
    const violations = await violationsOf({
      'package.json': JSON.stringify({ devDependencies: { 'fast-check': '1.0.0' } }),
      'packages/store/src/x.ts': code,
      'packages/store/src/x.test.ts': code,
      'tools/x.ts': code,
    });
    assert.deepEqual(violations, [
      "packages/store/src/x.test.ts:2 imports pino: neither packages/store/package.json nor the root's devDependencies declare it",
      'packages/store/src/x.ts:1 imports fast-check: packages/store/package.json does not declare it',
      'packages/store/src/x.ts:2 imports pino: packages/store/package.json does not declare it',
      'tools/x.ts:2 imports pino: the root package.json does not declare it',
    ]);
  });

  test('declares nothing in vain', async () => {
    const violations = await violationsOf({
      ...plain('contract'),
      'packages/store/package.json': manifest('packages/store', {
        dependencies: { ajv: '1.0.0' },
        devDependencies: { '@meshwork/contract': '0.1.0', '@types/pg': '1.0.0' },
      }),
      'packages/store/src/index.ts': 'export {};\n',
    });
    assert.deepEqual(violations, [
      'packages/store/package.json declares ajv: no file of the package imports it',
      'packages/store/package.json declares @meshwork/contract: no file of the package imports it',
    ]);
  });

  test('need not declare the package itself', async () => {
    const violations = await violationsOf({
      ...plain('store'),
      'packages/store/test/parts.ts': 'export {};\n',
      'packages/store/src/x.test.ts': "import '@meshwork/store';\nimport '@meshwork/store/testing';\n",
    });
    assert.deepEqual(violations, []);
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { manifest, type Tree, using, violationsOf } from './small-workspace.ts';

describe('a program that only calls', () => {
  const contract: Tree = {
    'packages/contract/package.json': manifest('packages/contract', {
      exports: { '.': './src/index.ts', './vocabulary': './src/vocabulary.ts' },
    }),
    'packages/contract/src/index.ts': "export * from './record.ts';\nexport * from './vocabulary.ts';\n",
    'packages/contract/src/record.ts': "import { Type } from './type.ts';\nexport const Record = Type;\n",
    'packages/contract/src/type.ts': 'export const Type = 1;\n',
    'packages/contract/src/vocabulary.ts':
      "import type { Record } from './record.ts';\nexport const LIMIT: Record = 1;\n",
  };
  const agent = (code: string): Tree => ({
    ...contract,
    ...using('packages/agent', '@meshwork/contract'),
    'packages/agent/src/x.ts': code,
    'packages/agent/src/y.ts': "import './x.ts';\n",
  });

  test('loads no schema, however far away, and the report names the import that would', async () => {
    for (const code of [
      "import { LIMIT } from '@meshwork/contract';",
      "import { type Record } from '@meshwork/contract';",
      "export { LIMIT } from '@meshwork/contract';",
      "await import('@meshwork/contract');",
    ]) {
      const [violation = '', ...more] = await violationsOf(agent(code));
      assert.deepEqual(more, [], 'reported once, and not for the files that import this one');
      const way =
        '@meshwork/contract -> packages/contract/src/record.ts -> packages/contract/src/type.ts: who only calls needs no schemas';
      assert.ok(violation.startsWith(`packages/agent/src/x.ts:1 loads ${way}`), `${code} ${violation}`);
    }
  });

  test('takes types from anywhere and values from where no schema is', async () => {
    const types =
      "import type { Record } from '@meshwork/contract';\nexport type { Record } from '@meshwork/contract';\n";
    const far = "export let far: import('@meshwork/contract').Record;\nexport type * from '@meshwork/contract';\n";
    const values = "import { LIMIT } from '@meshwork/contract/vocabulary';\n";
    assert.deepEqual(await violationsOf(agent(types + far + values)), []);
  });

  test('has tests that load what they like', async () => {
    const test = { 'packages/agent/src/x.test.ts': "import { Record } from '@meshwork/contract';\n" };
    assert.deepEqual(await violationsOf({ ...agent("import '@meshwork/contract/vocabulary';"), ...test }), []);
  });
});

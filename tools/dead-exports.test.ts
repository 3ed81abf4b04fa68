import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findDeadExports } from './dead-exports.ts';
import { smallWorkspace } from './small-workspace.ts';

test('an export that nothing imports is reported, also when another file passes it on', async () => {
  await using workspace = await smallWorkspace({
    'packages/store/src/index.ts':
      "export { used, unused as renamed } from './parts.ts';\nexport * from './more.ts';\n",
    'packages/store/src/parts.ts': 'export const used = 1;\nexport const unused = 2;\nexport type Lonely = 3;\n',
    'packages/store/src/more.ts': 'export const starred = 1;\nexport const forgotten = 2;\n',
    'packages/store/src/lazy.ts': 'export default 1;\nexport const loaded = 2;\n',
    'packages/store/src/tried.ts': 'export const tried = 1;\n',
    'packages/store/src/tried.test.ts': "import { tried } from './tried.ts';\nawait import(`./lazy.ts`);\ntried;\n",
    'packages/cli/src/main.ts': "import { starred, used } from '@meshwork/store';\nstarred + used;\n",
  });
  assert.deepEqual(findDeadExports(workspace.path), [
    'packages/store/src/index.ts:1 exports renamed: nothing imports it',
    'packages/store/src/more.ts:2 exports forgotten: nothing imports it',
    'packages/store/src/parts.ts:2 exports unused: nothing imports it',
    'packages/store/src/parts.ts:3 exports Lonely: nothing imports it',
  ]);
});

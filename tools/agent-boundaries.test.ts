import assert from 'node:assert/strict';
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { checkBoundaries } from './boundaries.ts';

/** Runs the check over a workspace of one package with these files. */
async function violationsOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'meshwork-boundaries-'));
  const manifests = { 'package.json': '{}', 'packages/agent/package.json': '{"name":"@meshwork/agent"}' };
  for (const [path, text] of Object.entries({ ...manifests, ...files })) {
    await mkdir(join(folder.path, dirname(path)), { recursive: true });
    await writeFile(join(folder.path, path), text);
  }
  return checkBoundaries(folder.path);
}

test('an engine of the agent knows no other engine, and nothing in the agent knows one by name but the list', async () => {
  const agent = 'packages/agent/src';
  const violations = await violationsOf({
    [`${agent}/engines/engines.ts`]: "import './names/engine.ts';\n",
    [`${agent}/engines/engine.ts`]: "import '../rollback/part.ts';\nimport '../view/view.ts';\n",
    [`${agent}/engines/names/engine.ts`]: "import '../engine.ts';\nimport '../firewall/engine.ts';\n",
    [`${agent}/engines/names/own.ts`]: "import './engine.ts';\nimport '../../conversation/wire.ts';\n",
    [`${agent}/engines/firewall/engine.ts`]: "import '../../host/run.ts';\n",
    [`${agent}/data-plane/data-plane.ts`]: "import '../view/view.ts';\n",
    [`${agent}/data-plane/plane.ts`]: "import '../engines/engines.ts';\nimport '../engines/names/engine.ts';\n",
    [`${agent}/data-plane/plane.test.ts`]: "import '../engines/names/engine.ts';\n",
    [`${agent}/conversation/agent.ts`]: "import '../data-plane/data-plane.ts';\nimport '../data-plane/plane.ts';\n",
    [`${agent}/rollback/part.ts`]: "import '../view/view.ts';\nimport '../health/health.ts';\n",
    [`${agent}/view/view.ts`]: "import '../conversation/wire.ts';\n",
    [`${agent}/conversation/wire.ts`]: 'export {};\n',
    [`${agent}/health/health.ts`]: 'export {};\n',
    [`${agent}/host/run.ts`]: 'export {};\n',
  });
  const edges = violations.map((violation) =>
    violation.replaceAll(`${agent}/`, '').replace(/:\d+ imports (\S+): .*/, ' -> $1'),
  );
  assert.deepEqual(edges.toSorted(), [
    'conversation/agent.ts -> data-plane/plane.ts',
    'data-plane/plane.ts -> engines/names/engine.ts',
    'engines/names/engine.ts -> engines/firewall/engine.ts',
    'engines/names/own.ts -> conversation/wire.ts',
    'rollback/part.ts -> health/health.ts',
    'view/view.ts -> conversation/wire.ts',
  ]);
});

test('of the agent, one folder asks for certificates, and what writes the request is loaded by its thread alone', async () => {
  const folder = 'packages/agent/src/certificate-requests';
  const pki = {
    name: '@meshwork/pki',
    exports: { '.': './src/index.ts', './request': './src/make.ts', './text': './src/text.ts' },
  };
  const violations = await violationsOf({
    'packages/agent/package.json': '{"name":"@meshwork/agent","dependencies":{"@meshwork/pki":"0.1.0"}}',
    'packages/pki/package.json': JSON.stringify({ ...pki, dependencies: { '@peculiar/x509': '1' } }),
    'packages/pki/src/index.ts': "import '@peculiar/x509';\n",
    'packages/pki/src/make.ts': "import '@peculiar/x509';\n",
    'packages/pki/src/text.ts': 'export {};\n',
    [`${folder}/request-thread.ts`]: "import '@meshwork/pki/request';\n",
    [`${folder}/engine.ts`]: "import '@meshwork/pki/text';\nimport type { A } from '@meshwork/pki/request';\n",
    [`${folder}/heavy.ts`]: "import '@meshwork/pki/request';\n",
    [`${folder}/whole.ts`]: "import type { A } from '@meshwork/pki';\n",
    [`${folder}/engine.test.ts`]: "import '@meshwork/pki';\n",
    'packages/agent/src/host/other.ts': "import '@meshwork/pki/text';\n",
  });
  const edges = violations.map((violation) =>
    violation.replace('packages/agent/src/', '').replace(/:\d+ (\w+) ([^:]*): .*/, ' $1 $2'),
  );
  assert.deepEqual(edges.toSorted(), [
    'certificate-requests/heavy.ts loads @meshwork/pki/request -> @peculiar/x509',
    'certificate-requests/whole.ts imports @meshwork/pki',
    'host/other.ts imports @meshwork/pki/text',
  ]);
});

import assert from 'node:assert/strict';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { ensurePackages, type Host, missingPackages, packagesFor, SYSTEM_PACKAGES } from './system-packages.ts';
import { selectTests } from './test-files.ts';

const DEBIAN = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\n';
const PROMETHEUS = { name: 'prometheus', why: 'promtool is needed', neededBy: [], commands: ['promtool'] };

/** A machine in a folder, with an apt-get that does what the script says. A real one would change the machine we test on. */
async function machine(aptScript: string, about: Partial<Host> = {}) {
  const folder = await mkdtempDisposable(join(tmpdir(), 'meshwork-packages-'));
  const place = (name: string) => join(folder.path, name);
  mkdirSync(place('bin'));
  const script = aptScript.replaceAll('HERE', folder.path);
  writeFileSync(place('apt-get'), `#!/bin/sh\nset -e\necho "$*" >> ${place('calls')}\n${script}\n`, { mode: 0o755 });
  let written = '';
  const host: Host = {
    path: place('bin'),
    isRoot: true,
    osRelease: DEBIAN,
    aptGet: place('apt-get'),
    servicePolicy: place('policy-rc.d'),
    write: (text) => {
      written += text;
    },
    ...about,
  };
  return {
    host,
    place,
    written: () => written,
    calls: () => (existsSync(place('calls')) ? readFileSync(place('calls'), 'utf8').trimEnd().split('\n') : []),
    [Symbol.asyncDispose]: () => folder.remove(),
  };
}

// Whatever the machine we test on prefers, apt must not ask anybody.
process.env.DEBIAN_FRONTEND = 'dialog';

const INSTALLS = 'if [ "$3" = install ]; then printf "" > HERE/bin/promtool; chmod +x HERE/bin/promtool; fi';

function writeCommand(path: string): void {
  writeFileSync(path, '', { mode: 0o755 });
}

test('every package says why it is needed and what proves it is there', () => {
  for (const { name, why, commands, files = [] } of SYSTEM_PACKAGES) {
    assert.ok(why.length > 15 && commands.length + files.length > 0, name);
  }
});

const root = resolve(import.meta.dirname, '..');
const namesFor = (...files: readonly string[]) => packagesFor(files).map(({ name }) => name);

test('a run of some files needs the packages of those files only', () => {
  assert.deepEqual(namesFor('tools/steps.test.ts'), []);
  assert.deepEqual(namesFor('packages/policy/src/firewall/fixtures.test.ts'), ['nftables', 'iproute2']);
  assert.deepEqual(namesFor('tools/steps.test.ts', 'packages/dashboard/test/pages.test.ts'), [
    'openssl',
    'chromium-headless-shell',
    'fonts-dejavu-core',
  ]);
});

test('every test together needs every package, apart from what the bench alone needs', () => {
  const needed = namesFor(...selectTests(root, []).files);
  const others = SYSTEM_PACKAGES.map(({ name }) => name).filter((name) => !needed.includes(name));
  assert.deepEqual(others, ['iperf3', 'dnsmasq-base', 'wrk']);
  assert.ok(namesFor('bench/src/main.ts').includes('iperf3'));
});

test('a test file, and what it shares with others, names no command of a package that it has not asked for', () => {
  const files = globSync(['packages/*/{src,test}/**/*.test.{ts,tsx}', 'packages/*/test/**/*.ts'], { cwd: root });
  const wanting = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    // `postgres` is the name of many other things too; who starts one also names `initdb`.
    const named = SYSTEM_PACKAGES.filter(({ commands }) =>
      commands.some((command) => command !== 'postgres' && text.includes(`'${command}'`)),
    );
    const asked = namesFor(file);
    return named.filter(({ name }) => !asked.includes(name)).map(({ name }) => `${file} needs ${name}`);
  });
  assert.ok(files.length > 100);
  assert.deepEqual(wanting, []);
});

test('a package without commands is there when its files are', async () => {
  await using here = await machine('');
  const fonts = { name: 'fonts', why: '', neededBy: [], commands: [], files: [here.place('fonts/*.ttf')] };
  assert.deepEqual(missingPackages([fonts], here.host.path), [fonts]);
  mkdirSync(here.place('fonts'));
  writeFileSync(here.place('fonts/a.ttf'), '');
  assert.deepEqual(missingPackages([fonts], here.host.path), []);
});

test('a package is there when all its commands are, on the path or where the package keeps them', async () => {
  await using here = await machine('');
  const postgresql = {
    name: 'postgresql',
    why: '',
    neededBy: [],
    commands: ['initdb', 'postgres'],
    folders: [here.place('lib/*/bin')],
  };
  const missing = () => missingPackages([postgresql], here.host.path).map(({ name }) => name);
  mkdirSync(here.place('lib/15/bin'), { recursive: true });
  writeCommand(here.place('lib/15/bin/initdb'));
  assert.deepEqual(missing(), ['postgresql']);
  writeFileSync(here.place('bin/postgres'), '', { mode: 0o644 });
  assert.deepEqual(missing(), ['postgresql'], 'a file that cannot be run proves nothing');
  writeCommand(here.place('lib/15/bin/postgres'));
  assert.deepEqual(missing(), []);
});

test('with nothing missing apt is not asked and nothing is said', async () => {
  await using here = await machine('exit 1');
  writeCommand(here.place('bin/promtool'));
  assert.equal(await ensurePackages([PROMETHEUS], here.host), true);
  assert.deepEqual([here.calls(), here.written()], [[], '']);
});

test('what is missing on Debian is installed, and no service starts meanwhile', async () => {
  await using here = await machine(
    `${INSTALLS}\n[ "$DEBIAN_FRONTEND" = noninteractive ]\nsh HERE/policy-rc.d || [ $? = 101 ]`,
  );
  assert.equal(await ensurePackages([PROMETHEUS], here.host), true, here.written());
  assert.deepEqual(
    here.calls().map((call) => call.replace(/^-o \S+ /, '')),
    ['update', 'install -y --no-install-recommends prometheus'],
  );
  assert.equal(existsSync(here.host.servicePolicy), false, 'the service policy is removed again');
});

test('a service policy of the machine itself is left as it is', async () => {
  await using here = await machine(INSTALLS);
  writeFileSync(here.host.servicePolicy, '#!/bin/sh\nexit 0\n');
  assert.equal(await ensurePackages([PROMETHEUS], here.host), true);
  assert.equal(readFileSync(here.host.servicePolicy, 'utf8'), '#!/bin/sh\nexit 0\n');
});

test('a failed install shows what apt said and leaves no service policy behind', async () => {
  await using here = await machine('if [ "$3" = install ]; then echo "E: Unable to locate package" >&2; exit 100; fi');
  assert.equal(await ensurePackages([PROMETHEUS], here.host), false);
  assert.match(here.written(), /E: Unable to locate package\napt-get install .* failed: it ended with 100\n$/);
  assert.equal(existsSync(here.host.servicePolicy), false);
});

test('an install that brings no command has not worked', async () => {
  await using here = await machine('');
  assert.equal(await ensurePackages([PROMETHEUS], here.host), false);
  assert.match(here.written(), /prometheus is installed, but one of these is not: promtool\n$/);
});

for (const [where, about] of Object.entries({
  'as another user than root': { isRoot: false },
  'on another system than Debian': { osRelease: 'ID=fedora\nID_LIKE="rhel centos"\n' },
  'on a system that does not say what it is': { osRelease: undefined },
})) {
  test(`${where} the missing packages are named and nothing is installed`, async () => {
    await using here = await machine(INSTALLS, about);
    assert.equal(await ensurePackages([PROMETHEUS], here.host), false);
    assert.match(here.written(), /^missing system package prometheus: promtool is needed\n/);
    assert.deepEqual(here.calls(), []);
  });
}

test('a system that is like Debian counts as Debian', async () => {
  await using here = await machine(INSTALLS, { osRelease: 'ID=linuxmint\nID_LIKE="ubuntu debian"\n' });
  assert.equal(await ensurePackages([PROMETHEUS], here.host), true);
});

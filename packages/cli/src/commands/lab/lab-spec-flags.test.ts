import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { specOf } from './lab-spec-flags.ts';

describe('what the flags say of a lab', () => {
  test('nodes are called after their lab', () => {
    const { name, nodes } = specOf('blue', { nodes: 2 });
    assert.equal(name, 'blue');
    assert.deepEqual(
      nodes.map((node) => node.name),
      ['blue-1', 'blue-2'],
    );
  });

  test('a number that no machine could carry does not fill its memory', () => {
    assert.equal(specOf('lab', { nodes: Number.MAX_SAFE_INTEGER }).nodes.length, 10_000);
  });

  test('tags, NAT and subnets', () => {
    const { nodes, subnets } = specOf('lab', {
      nodes: 3,
      tag: ['lab-1=role:git', 'lab-1=env:test'],
      nat: ['lab-3'],
      subnet: ['10.50.0.0/24=lab-1,lab-2'],
    });
    assert.deepEqual(nodes, [
      { name: 'lab-1', nat: false, tags: ['role:git', 'env:test'] },
      { name: 'lab-2', nat: false, tags: [] },
      { name: 'lab-3', nat: true, tags: [] },
    ]);
    assert.deepEqual(subnets, [{ cidr: '10.50.0.0/24', providers: ['lab-1', 'lab-2'] }]);
  });

  test('sites, with what their routers are', () => {
    const site = ['home=symmetric,hairpin,behind=isp:lab-1,lab-2', 'isp=full-cone', 'six=ipv6-only,tcp-only:lab-3'];
    const { nodes, sites } = specOf('lab', { nodes: 3, site });
    assert.deepEqual(
      nodes.map((node) => node.site),
      ['home', 'home', 'six'],
    );
    assert.deepEqual(sites, [
      { name: 'home', nat: 'symmetric', hairpin: true, behind: 'isp' },
      { name: 'isp', nat: 'full-cone' },
      { name: 'six', families: 'ipv6-only', egress: 'tcp-only' },
    ]);
  });

  test('a site that cannot be read is refused', () => {
    const wrong =
      (...site: string[]) =>
      () =>
        specOf('lab', { nodes: 2, site });
    assert.throws(wrong('home'), /--site looks like home=symmetric:lab-1,lab-2, not "home"/);
    assert.throws(wrong('home=conic:lab-1'), /"conic" says nothing of the site home; there is full-cone, /);
    assert.throws(wrong('home=toString'), /"toString" says nothing/);
    assert.throws(wrong('home=symmetric:x'), /no node "x"/);
    assert.throws(wrong('a=symmetric:lab-1', 'b=symmetric:lab-1'), /lab-1 cannot be in a and in b/);
  });

  test('what is wrong is said with an example', () => {
    assert.throws(
      () => specOf('lab', { nodes: 1, tag: ['role:git'] }),
      /--tag looks like lab-1=role:git, not "role:git"/,
    );
    assert.throws(
      () => specOf('lab', { nodes: 1, subnet: ['10.50.0.0/24='] }),
      /--subnet looks like 10\.50\.0\.0\/24=/,
    );
    assert.throws(() => specOf('lab', { nodes: 2, nat: ['x'] }), /no node "x"; they are lab-1 to lab-2/);
  });
});

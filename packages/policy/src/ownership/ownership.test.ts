import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readPolicy } from '../document/read-policy.ts';
import { Ownership } from './ownership.ts';

const scope = (text: string) => {
  const [team = '*', surface = '*', environment = '*'] = text.split('/');
  return { team, surface, environment };
};
const ALPHA = scope('alpha');
const BETA = scope('beta');
const MESH = scope('*');

function ownershipOf(policy: object): Ownership {
  const reading = readPolicy(JSON.stringify(policy));
  assert.ok(reading.ok, JSON.stringify(reading));
  return new Ownership(reading.document);
}

function detailOf(ruling: ReturnType<Ownership['tag']>): string {
  assert.ok(!ruling.allowed);
  return ruling.detail;
}

describe('the owners of a tag', () => {
  const owned = ownershipOf({
    groups: { teams: ['scope:beta/*/*', 'group:more'], more: ['scope:gamma/git/*'], dba: ['tag:role:dba'] },
    grants: [{ from: 'dba', to: 'dba', allow: ['tcp:5432'] }],
    tag_owners: {
      'tag:role:dba': ['scope:beta/*/*'],
      'tag:role:*': ['group:teams'],
      'tag:audited': [],
      'tag:role:ops': ['scope:*/*/production', 'scope:beta/git/*'],
    },
  });

  it('are those whose scope lies within an owner’s, and the whole mesh', () => {
    for (const by of [BETA, scope('beta/git/production'), MESH]) assert.ok(owned.tag(by, 'role:dba').allowed);
    for (const by of [ALPHA, scope('gamma/git/*'), scope('*/git/*'), scope('*/*/production')]) {
      assert.ok(!owned.tag(by, 'role:dba').allowed);
    }
  });

  it('are those of the exact entry before those of the prefix', () => {
    assert.ok(!owned.tag(scope('gamma/git/*'), 'role:dba').allowed);
    assert.ok(owned.tag(scope('gamma/git/*'), 'role:web').allowed);
    assert.ok(!owned.tag(scope('gamma/ci/*'), 'role:web').allowed);
    assert.ok(owned.tag(scope('gamma/ci/*'), 'roles').allowed);
  });

  it('are only the whole mesh where the list is empty', () => {
    assert.ok(owned.tag(MESH, 'audited').allowed);
    assert.equal(
      detailOf(owned.tag(BETA, 'audited')),
      'The tag "audited" may be set by a mesh-wide token only (tag_owners).',
    );
  });

  it('are named in the refusal', () => {
    assert.equal(
      detailOf(owned.tag(ALPHA, 'role:dba')),
      'The tag "role:dba" may be set by team beta (tag_owners) or by a mesh-wide token.',
    );
    assert.equal(
      detailOf(owned.tag(ALPHA, 'role:ops')),
      'The tag "role:ops" may be set by environment production, scope beta/git/* (tag_owners) or by a mesh-wide token.',
    );
  });

  it('have no say over the tags of boundaries, which scopes bound', () => {
    assert.ok(owned.tag(ALPHA, 'team:beta').allowed);
  });
});

describe('a tag without an entry', () => {
  const policy = (grants: object[], groups: object = {}) =>
    ownershipOf({
      groups: {
        dba: ['tag:role:dba'],
        db: ['tag:role:db'],
        alpha: ['scope:alpha/*/*'],
        beta: ['tag:team:beta'],
        ...groups,
      },
      grants,
    });

  it('is free when the policy does not name it', () => {
    assert.ok(policy([]).tag(ALPHA, 'role:other').allowed);
  });

  it('takes the whole mesh when it opens something beyond the boundary', () => {
    const open = policy([{ from: 'dba', to: 'db', allow: ['tcp:5432'] }]);
    for (const tag of ['role:dba', 'role:db']) {
      assert.ok(open.tag(MESH, tag).allowed);
      assert.equal(
        detailOf(open.tag(ALPHA, tag)),
        `The policy uses the tag "${tag}" beyond the boundary of the caller, and names no owner for it (tag_owners): only a mesh-wide token may set it.`,
      );
    }
  });

  it('is for everybody when every grant of it holds within a boundary', () => {
    const grant = { from: 'dba', to: 'db', allow: ['tcp:5432'], within: 'boundary' };
    assert.ok(policy([grant]).tag(ALPHA, 'role:dba').allowed);
    const mixed = policy([grant, { from: 'db', to: 'dba', allow: ['icmp'] }]);
    assert.ok(!mixed.tag(ALPHA, 'role:dba').allowed);
  });

  it('is for those whose scope holds the other end', () => {
    const toAlpha = policy([{ from: 'dba', to: 'alpha', allow: ['tcp:22'] }]);
    assert.ok(toAlpha.tag(ALPHA, 'role:dba').allowed);
    assert.ok(!toAlpha.tag(scope('alpha/git/*'), 'role:dba').allowed);
    assert.ok(!toAlpha.tag(BETA, 'role:dba').allowed);
    const fromBeta = policy([{ from: 'beta', to: 'dba', allow: ['tcp:22'] }]);
    assert.ok(fromBeta.tag(BETA, 'role:dba').allowed);
    assert.ok(!fromBeta.tag(ALPHA, 'role:dba').allowed);
  });

  it('reaches as far as every group that has its group inside', () => {
    const nested = policy(
      [
        { from: 'dba', to: 'db', allow: ['tcp:5432'], within: 'boundary' },
        { from: 'staff', to: 'db', allow: ['tcp:22'] },
      ],
      { staff: ['group:dba'] },
    );
    assert.ok(!nested.tag(ALPHA, 'role:dba').allowed);
  });

  it('is not for a boundary while no grant uses its group', () => {
    assert.ok(!policy([]).tag(ALPHA, 'role:dba').allowed);
  });

  it('counts as a condition of a grant, and as one that forwards', () => {
    const asked = policy([{ from: 'alpha', to: 'db', allow: ['*'], when: { tag: 'audited' } }]);
    assert.ok(!asked.tag(ALPHA, 'audited').allowed);
    const inside = policy([{ from: 'db', to: 'alpha', allow: ['*'], when: { tag: 'audited' } }]);
    assert.ok(inside.tag(ALPHA, 'audited').allowed);
    const via = policy([{ from: 'beta', to: '10.0.0.0/8', allow: ['*'], via: 'dba' }]);
    assert.ok(!via.tag(ALPHA, 'role:dba').allowed);
    assert.ok(via.tag(BETA, 'role:dba').allowed);
    const both = policy([
      { from: 'dba', to: 'db', allow: ['*'], within: 'boundary' },
      { from: 'beta', to: '10.0.0.0/8', allow: ['*'], via: 'dba' },
    ]);
    assert.ok(!both.tag(ALPHA, 'role:dba').allowed);
    const network = policy([{ from: 'dba', to: '10.0.0.0/8', allow: ['*'] }]);
    assert.ok(!network.tag(ALPHA, 'role:dba').allowed);
    const ownGateway = policy([{ from: 'dba', to: '10.0.0.0/8', allow: ['*'], via: 'alpha' }]);
    assert.ok(ownGateway.tag(ALPHA, 'role:dba').allowed);
  });
});

describe('the owners of a name', () => {
  const names = ownershipOf({
    groups: { bastions: ['node:bastion'] },
    grants: [],
    tests: [{ from: 'laptop-3', allow: ['git-1:tcp:22'], deny: ['group:bastions:icmp'] }],
    tag_owners: { 'node:vault': ['scope:beta/*/*'] },
  });

  it('matter only for names that the policy mentions', () => {
    assert.deepEqual(
      ['bastion', 'laptop-3', 'git-1', 'vault', 'other'].map((name) => names.mentionsName(name)),
      [true, true, true, true, false],
    );
    assert.ok(names.name(ALPHA, 'other', undefined).allowed);
    assert.ok(names.name(ALPHA, 'other', scope('beta/git/production')).allowed);
  });

  it('are those of the boundary that had it last, and the whole mesh', () => {
    const last = scope('beta/git/production');
    assert.ok(names.name(last, 'bastion', last).allowed);
    assert.ok(names.name(BETA, 'bastion', last).allowed);
    assert.ok(names.name(MESH, 'bastion', last).allowed);
    assert.ok(!names.name(scope('beta/git/staging'), 'bastion', last).allowed);
    assert.equal(
      detailOf(names.name(ALPHA, 'bastion', BETA)),
      'The policy mentions the name "bastion", which a node of team beta had before: it may be taken by team beta or by a mesh-wide token.',
    );
  });

  it('are the whole mesh alone where no node ever had it, or one of no boundary', () => {
    for (const last of [undefined, MESH]) {
      assert.equal(
        detailOf(names.name(ALPHA, 'bastion', last)),
        'The policy mentions the name "bastion", and names no owner for it (tag_owners): only a mesh-wide token may take it.',
      );
    }
  });

  it('are those of the entry where there is one, regardless of the node that had the name', () => {
    assert.ok(names.name(BETA, 'vault', undefined).allowed);
    assert.equal(
      detailOf(names.name(ALPHA, 'vault', ALPHA)),
      'The name "vault" may be taken by team beta (tag_owners) or by a mesh-wide token.',
    );
  });
});

describe('the owners of a host name', () => {
  const domains = ownershipOf({
    domain_owners: {
      'shop.example.com': ['scope:beta/*/*'],
      '*.example.com': ['scope:alpha/*/*'],
      '*.deep.example.com': [],
    },
  });

  it('are those of the most specific entry', () => {
    const rulings = (by: ReturnType<typeof scope>) =>
      [
        'shop.example.com',
        'www.example.com',
        'a.b.example.com',
        'x.deep.example.com',
        'deep.example.com',
        'example.com',
      ].map((name) => domains.domain(by, name).allowed);
    assert.deepEqual(rulings(ALPHA), [false, true, true, false, true, false]);
    assert.deepEqual(rulings(BETA), [true, false, false, false, false, false]);
    assert.deepEqual(rulings(MESH), [true, true, true, true, true, true]);
  });

  it('are the whole mesh where no entry covers it', () => {
    assert.equal(
      detailOf(domains.domain(ALPHA, 'example.org')),
      'No entry of domain_owners covers the host name "example.org": only a mesh-wide token may use it.',
    );
    assert.equal(
      detailOf(domains.domain(ALPHA, 'shop.example.com')),
      'The host name "shop.example.com" may be used by team beta (domain_owners) or by a mesh-wide token.',
    );
    assert.ok(!domains.domain(ALPHA, 'notexample.com').allowed);
  });

  it('can be everybody', () => {
    const open = ownershipOf({ domain_owners: { '*': ['scope:*/*/*'] } });
    assert.ok(open.domain(ALPHA, 'any.example').allowed);
  });
});

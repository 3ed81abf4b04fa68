/** Each role sees the actions that it has the permission for, and the panel refuses the others when requested directly. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  BUILT_IN_ROLES,
  type HttpOperation,
  isPermission,
  OPERATIONS,
  PANEL_OPERATIONS,
  type Permission,
  proxiedPath,
} from '@meshwork/contract';
import { anAcmeAccount } from './acme-account.ts';
import { aCertificate } from './certificate-request.ts';
import type { Person } from './person.ts';
import { type Role, Scene } from './scene.ts';
import { PENDING } from './scene-roster.ts';
import { aWaf } from './scene-waf.ts';
import { aPerson, aToken, ingressNamed } from './visits.ts';

const EVERYTHING =
  'Overview Topology Nodes Reach Relays Ingress WAF Names Policy Firewall Tokens Certificates People Roles Audit Events Settings'.split(
    ' ',
  );
const NAVIGATION: Readonly<Record<Role, readonly string[]>> = {
  owner: EVERYTHING,
  operator: EVERYTHING,
  monitoring: ['Overview', 'Topology', 'Nodes', 'Relays', 'Ingress', 'Events'],
  auditor: EVERYTHING,
  viewer: EVERYTHING.filter((title) => !['Tokens', 'People', 'Audit'].includes(title)),
};

/** What changes something or takes a permission of its own, by what stands on it, and where it is to be found. */
const OFFERS: readonly (readonly [name: RegExp, permission: Permission])[] = [
  [/^Enrol a node$/, 'nodes:enroll'],
  [/^Approve$/, 'nodes:approve'],
  [/^Diagnose$/, 'nodes:diagnose'],
  [/^(Change tags|Re-key|Drain|Move to another relay)$/, 'nodes:write'],
  [/^Quarantine$/, 'nodes:quarantine'],
  [/^Remove$/, 'nodes:remove'],
  [/^Add relay$/, 'relays:write'],
  [/^(Create ingress|Maintenance)$/, 'ingress:write'],
  [/^Check from outside$/, 'ingress:probe'],
  [/^(Create policy|Put in force: .*|Remove: .*)$/, 'waf:write'],
  [/^New record$/, 'dns:write'],
  [/^(Add grant|Review and save|Open in the policy editor|Restore)$/, 'acls:write'],
  [/^(New rule|Move rule 1|What to do with rule 1)$/, 'firewall:write'],
  [/^Try it$/, 'acls:probe'],
  [/^New token$/, 'tokens:create'],
  [/^Rotate prometheus$/, 'tokens:rotate'],
  [/^Revoke$/, 'tokens:revoke'],
  [/^Issue certificate$/, 'ca:issue'],
  [/^(Revoke certificate|Revoke all of this node)$/, 'ca:revoke'],
  [/^Deactivate ACME account of renewals$/, 'ca:revoke'],
  [/^(Invite|Disable|End the session of ada at .*)$/, 'users:write'],
  [/^(New role|Create role)$/, 'roles:write'],
  [/^Verify chain$/, 'audit:verify'],
  [/^Reset to default: /, 'settings:write'],
  [/^Why can’t A reach B\?$/, 'acls:read'],
];

/** Delegations go to the coordinator directly: the panel serves no route for them. */
const UNKNOWN = 'route_not_found';

let scene: Scene;
let paths: readonly string[];
before(async () => {
  scene = await Scene.open({ authorities: true });
  await anAcmeAccount(scene);
  paths = [
    '/',
    '/nodes',
    `/nodes/${scene.node('git-1').id}`,
    `/nodes/${scene.node(PENDING).id}`,
    '/reach?from=laptop-ana&to=db-1&port=tcp:5432',
    '/relays',
    '/ingress',
    `/ingress/${await ingressNamed(scene, 'git')}`,
    '/waf',
    `/waf/${(await aWaf(scene)).policy}`,
    '/names',
    '/access',
    '/access/versions/0',
    '/firewall',
    '/tokens',
    `/tokens/${await aToken(scene)}`,
    '/certificates?node=git-1',
    `/certificates/${await aCertificate(scene)}`,
    '/people',
    `/people/${await aPerson(scene)}`,
    '/people/sessions',
    '/roles',
    '/roles/new',
    '/audit',
    '/settings',
  ];
});
after(() => scene[Symbol.asyncDispose]());

for (const role of ['owner', 'operator', 'monitoring', 'auditor', 'viewer'] as const) {
  describe(`a person with the role ${role}`, () => {
    const permissions: readonly Permission[] = BUILT_IN_ROLES[role].permissions;
    let person: Person;
    before(async () => {
      person = await scene.person(role);
    });
    after(() => person[Symbol.asyncDispose]());

    it('is led to what they may look at', async () => {
      await person.opens('/');
      const titles = await person.page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts();
      assert.deepEqual(titles, NAVIGATION[role]);
    });

    it('is offered what they may do, and nothing else', async () => {
      const offered = new Set<string>();
      for (const path of paths) for (const name of await offersOn(person, path)) offered.add(name);
      const wrong = OFFERS.filter(([name, permission]) => {
        return [...offered].some((one) => name.test(one)) !== permissions.includes(permission);
      });
      assert.deepEqual([...wrong, ...person.faults], []);
    });

    it('is refused the rest when they ask for it past the page', async () => {
      const asked = requestsNeeding((permission) => !permissions.includes(permission));
      await person.goes('/profile');
      const codes = await person.page.evaluate(askAll(asked));
      const refusals = asked.map(({ id }) => `${id} ${id.startsWith('delegations.') ? UNKNOWN : 'permission_denied'}`);
      assert.deepEqual(codes, refusals);
    });
  });
}

/** What stands on everything that can be pressed or followed on a page, menus opened. */
async function offersOn(person: Person, path: string): Promise<readonly string[]> {
  await person.goes(path);
  const named = () =>
    person.page.evaluate(`[...document.querySelectorAll('button, a, [role="menuitem"]')]
      .map((one) => one.getAttribute('aria-label') ?? one.textContent.trim())`) as Promise<string[]>;
  const onPage = await named();
  const menu = person.page.locator('main').getByRole('button', { name: 'Operations', exact: true });
  if ((await menu.count()) === 0) return onPage;
  await menu.click();
  await person.page.getByRole('menu').waitFor();
  return [...onPage, ...(await named())];
}

interface Asked {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** Absent: it takes none. */
  readonly body?: string;
}

/** Every operation of both tables, as the panel serves it, whose permission is like that. */
function requestsNeeding(isSo: (permission: Permission) => boolean): readonly Asked[] {
  const filled = (path: string) => path.replaceAll(/\{\w+\}/g, '1');
  const bodyOf = ({ body }: HttpOperation) => (body === undefined ? {} : { body: '{}' });
  const coordinators = Object.entries<HttpOperation & { permission?: Permission | null }>(OPERATIONS);
  const panels = Object.entries<HttpOperation & { access: string }>(PANEL_OPERATIONS);
  return [
    ...coordinators.flatMap(([id, operation]) => {
      const { method, path, permission } = operation;
      const proxied = proxiedPath(path);
      const counts = proxied !== undefined && permission !== undefined && permission !== null && isSo(permission);
      return counts ? [{ id, method, path: filled(proxied), ...bodyOf(operation) }] : [];
    }),
    ...panels.flatMap(([id, operation]) => {
      const { method, path, access } = operation;
      return isPermission(access) && isSo(access) ? [{ id, method, path: filled(path), ...bodyOf(operation) }] : [];
    }),
  ];
}

/** Asks as the page does, with the session's own token, and gives the code of each answer. */
function askAll(asked: readonly Asked[]): string {
  return `(async () => {
    const { csrf_token } = await (await fetch('/api/v1/auth/session')).json();
    const codes = [];
    for (const { id, method, path, body } of ${JSON.stringify(asked)}) {
      const headers = {
        ...(method === 'GET' ? {} : { 'x-csrf-token': csrf_token }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      };
      const answer = await fetch(path, { method, headers, body });
      codes.push(id + ' ' + (await answer.json().then(({ code }) => code, () => answer.status)));
    }
    return codes;
  })()`;
}

/** Puts markup into every free text that the API accepts. */
import { generateKeyPairSync } from 'node:crypto';
import { utc, WHOLE_MESH } from '@meshwork/contract';
import { PASSWORD } from '@meshwork/panel/testing';
import type { Scene } from './scene.ts';

/** Sets a flag on the page when anything of it is taken for more than words. */
export const MARKUP = `"><img src=x onerror="window.hacked=1"><script>window.hacked=2</script>'`;
export const HOSTILE_NODE = 'hostile';

export async function spreadMarkup(scene: Scene): Promise<void> {
  const { client, panel } = scene;
  const expires = utc(panel.clock.now() + 3 * 24 * 3_600_000); // soon, so that it is in the band on top as well
  await client.call('tokens.create', { body: { name: MARKUP, scope: WHOLE_MESH, role: 'viewer', expires } });
  await client.call('roles.create', { body: { name: 'odd', description: MARKUP, permissions: ['nodes:read'] } });
  const { text } = (await client.call('acls.show')).body;
  const body = text.replace('"grants": [', `// ${MARKUP}\n  "grants": [`);
  await client.call('acls.replace', { body, query: { note: MARKUP } });
  await client.call('firewall.create', {
    body: {
      ...{ nodes: ['tag:role:db'], direction: 'in', interface: 'eth1', protocol: 'tcp', ports: ['81'] },
      ...{ action: 'drop', note: MARKUP },
    } as const,
  });
  await client.call('dns.create', { body: { name: 'odd', cname: 'git-1.mesh', note: MARKUP } });
  const { id } = (await enrol(scene, { name: HOSTILE_NODE })).body;
  await client.call('nodes.quarantine', { params: { id }, body: { reason: MARKUP } });

  await scene.session('viewer').must(200, 'PATCH', '/api/v1/profile', { body: { display_name: MARKUP } });
  await panel.browser().ask('POST', '/api/v1/auth/login', {
    body: { name: 'vera', password: PASSWORD },
    headers: { 'user-agent': MARKUP },
  });
  await panel.browser().ask('POST', '/api/v1/auth/login', { body: { name: MARKUP, password: PASSWORD } });
}

export function enrol({ client }: Scene, given: { name: string; tags?: string[]; agent_version?: string }) {
  const raw = (kind: 'ed25519' | 'x25519') => {
    const { publicKey } = kind === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('x25519');
    return publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
  };
  return client.call('nodes.enroll', {
    body: { identity_key: raw('ed25519'), wireguard_key: raw('x25519'), ...given },
  });
}

import type { JoinRequest } from '../src/identity/join-mesh.ts';

export function joinRequest(url: string, changes: Partial<JoinRequest> = {}): JoinRequest {
  return {
    coordinators: [url],
    trust: { kind: 'system', insecure_http: false },
    wish: { name: 'git-1', tags: ['role:git'], services: [], routes: [] },
    token: () => Promise.resolve('mesh_x'),
    agent_version: '0.1.0',
    signal: new AbortController().signal,
    ...changes,
  };
}

/** What an authority is for in its state, in a sentence or two. */
import type { Authority } from '@meshwork/contract';
import { plural } from '../../../ui/plural.ts';

export function authorityWords({
  role,
  state,
  certificates,
  key,
}: Pick<Authority, 'role' | 'state' | 'certificates'> & Partial<Pick<Authority, 'key'>>): string {
  const signed = plural(certificates, role === 'root' ? 'valid intermediate' : 'valid certificate');
  switch (state) {
    case 'published':
      return `New ${role}, sent to every node. Not in use yet.`;
    case 'active':
      return role === 'root'
        ? `Root, which programs trust. ${signed}.${key === 'outside' ? ' Its key is kept outside the installation.' : ''}`
        : `Intermediate, which signs. ${signed}.`;
    case 'retiring':
      return `Old ${role}, which signs nothing more. ${signed}.`;
    case 'retired':
      return `Old ${role}, which nodes no longer trust.`;
  }
}

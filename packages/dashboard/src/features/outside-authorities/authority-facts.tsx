import { Anchor } from '@mantine/core';
import type { OutsideAuthority } from '@meshwork/contract';
import { ScopeText } from '../../mesh/scope-text.tsx';
import { Actor } from '../../ui/actor.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Section } from '../../ui/section.tsx';
import { CHALLENGE_WORDS, certificatesWords } from './authority-words.ts';

export function AuthorityFacts({ authority }: { readonly authority: OutsideAuthority }) {
  const { id, directory, staging_directory, contacts, challenge, roots, eab_key_id, scope } = authority;
  const { terms, terms_agreed_at, created_at, created_by } = authority;
  return (
    <Section title="Details">
      <Facts
        items={[
          { label: 'Directory', value: <Copyable value={directory} /> },
          {
            label: 'Staging directory',
            value: staging_directory === null ? 'None' : <Copyable value={staging_directory} />,
            help: 'Where the first order for each host name is tried before it counts.',
          },
          { label: 'Contacts', value: contacts.join(', ') || 'None' },
          {
            label: 'Challenge',
            value: CHALLENGE_WORDS[challenge],
            help: 'How gateways show that they speak for a host name.',
          },
          {
            label: 'Its web server',
            value: roots === null ? 'Checked against the roots that browsers know' : 'Checked against roots of its own',
          },
          ...(eab_key_id === null
            ? []
            : [
                {
                  label: 'Bound by key',
                  value: eab_key_id,
                  help: 'Of external account binding. The key itself is never shown.',
                },
              ]),
          {
            label: 'Terms',
            value: terms === null ? 'Not known yet' : <Terms url={terms} />,
          },
          { label: 'Agreed', value: <Moment at={terms_agreed_at} /> },
          { label: 'Certificates', value: certificatesWords(authority) },
          { label: 'Scope', value: <ScopeText scope={scope} />, help: 'Ingresses inside it can name the authority.' },
          {
            label: 'Created',
            value: (
              <>
                <Moment at={created_at} /> by <Actor actor={created_by} />
              </>
            ),
          },
          { label: 'ID', value: <Copyable value={id} /> },
        ]}
      />
    </Section>
  );
}

/** The authority said it, so only an address of the web becomes a link. */
function Terms({ url }: { readonly url: string }) {
  if (!/^https?:\/\//.test(url)) return url;
  return (
    <Anchor href={url} target="_blank" rel="noopener noreferrer" size="sm" style={{ overflowWrap: 'anywhere' }}>
      {url}
    </Anchor>
  );
}
